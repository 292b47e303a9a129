"""Rows of queries that at least 10 users issued, by Polars: `rows_polars.py LOG OUTPUT`."""

import sys

import polars as pl

log = pl.scan_csv(sys.argv[1], separator="\t", quote_char=None).with_columns(
    query=pl.col("Query").str.to_lowercase().str.replace_all(r"\s+", " ").str.strip_chars()
)
common = log.group_by("query").agg(users=pl.col("AnonID").n_unique()).filter(pl.col("users") >= 10)
kept = log.join(common, on="query", how="semi").select("AnonID", "query", "QueryTime", "ItemRank", "ClickURL")
kept.sink_csv(sys.argv[2], separator="\t", quote_style="never")

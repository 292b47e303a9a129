"""Rows of queries that at least 10 users issued, by DuckDB: `rows_duckdb.py LOG OUTPUT THREADS`."""

import sys

import duckdb

path, output, threads = sys.argv[1:]
duckdb.sql(f"SET threads = {threads}; SET preserve_insertion_order = false")
duckdb.sql(f"""
    CREATE TEMP TABLE log AS
    SELECT AnonID, trim(regexp_replace(lower(Query), '\\s+', ' ', 'g')) AS query, QueryTime, ItemRank, ClickURL
    FROM read_csv('{path}', delim = '\t', quote = '', header = true)
""")
duckdb.sql(f"""
    COPY (
        SELECT * FROM log
        WHERE query IN (SELECT query FROM log GROUP BY query HAVING count(DISTINCT AnonID) >= 10)
    ) TO '{output}' (DELIMITER '\t', QUOTE '', HEADER)
""")

/**
 * The description with which a browser can add the page as a search engine. OpenSearch 1.1, draft 6. It contains no
 * secret: the page keeps the token.
 */
export function openSearchDescription(origin: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
  <ShortName>queryveil</ShortName>
  <Description>Search with a profile that stays on your machine</Description>
  <InputEncoding>UTF-8</InputEncoding>
  <Url type="text/html" method="get" template="${origin}/search?q={searchTerms}"/>
  <Url type="application/opensearchdescription+xml" rel="self" template="${origin}/opensearch.xml"/>
</OpenSearchDescription>
`
}

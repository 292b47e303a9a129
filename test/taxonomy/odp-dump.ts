const head = `<?xml version="1.0" encoding="UTF-8" ?>
<RDF xmlns:r="http://www.w3.org/TR/RDF/" xmlns:d="http://purl.org/dc/elements/1.0/" xmlns="http://dmoz.org/rdf/">
<!-- synthetic -->`

/** A synthetic structure file: the root, Arts with Music below it, and Sports. The first topic begins in line 4. */
export const structure = `${head}
<Topic r:id="Top">
  <catid>1</catid>
  <d:Title>Top</d:Title>
  <narrow r:resource="Top/Arts"/>
</Topic>
<Topic r:id="Top/Arts">
  <d:Title>Arts</d:Title>
  <d:Description>Pictures &amp; &lt;b&gt;sounds&lt;/b&gt; &#233;t&#xE9;</d:Description>
  <lastUpdate>2003-01-01 00:00:00</lastUpdate>
  <narrow1 r:resource="Top/Arts/Music"/>
  <symbolic r:resource="Music:Top/Arts/Music"/>
  <related r:resource="Top"/>
</Topic>
<Alias r:id="Songs:Top/Arts/Music"><d:Title>Songs</d:Title></Alias>
<Topic r:id="Top/Arts/Music"><d:Title><![CDATA[Music <& more>]]></d:Title></Topic>
<Topic r:id='Top/Sports'/>
</RDF>
`

/** Its content: three pages of Music, one of Arts. */
export const content = `${head}
<Topic r:id="Top/Arts/Music"><catid>3</catid><link r:resource="http://jazz.example/"/></Topic>
<ExternalPage about="http://jazz.example/">
  <d:Title>Jazz</d:Title>
  <d:Description>Swing and
    bebop</d:Description>
  <topic>Top/Arts/Music</topic>
</ExternalPage>
<ExternalPage about="http://a.example/"><topic>Top/Arts/Music</topic></ExternalPage>
<ExternalPage about="http://b.example/"><d:Title>Opera</d:Title><topic>Top/Arts/Music</topic></ExternalPage>
<ExternalPage about="http://c.example/"><d:Title>Painters</d:Title><topic>Top/Arts</topic></ExternalPage>
</RDF>
`

/** A file with this text inside the root element. Its first line is line 1. */
export const rdf = (inside: string) => `<RDF>${inside}</RDF>`

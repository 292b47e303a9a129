import { taxonomyTarget } from "../support/taxonomy-target.ts"

/** Dumps of the Open Directory, in XML. */
export const target = taxonomyTarget("odp", {
  words: [
    "<Topic r:id=",
    "</Topic>",
    "<ExternalPage about=",
    "<d:Title>",
    "<topic>",
    "<![CDATA[",
    "]]>",
    "<!--",
    "-->",
    "&amp;",
    "&#x41;",
    "<!DOCTYPE a [",
    "<?xml ",
    "Top/",
  ],
  seeds: [
    `<?xml version="1.0" encoding="UTF-8"?>
<RDF xmlns:r="r" xmlns:d="d"><Topic r:id="Top"><catid>1</catid></Topic>
<Topic r:id="Top/Arts"><d:Title>Arts &amp; more</d:Title><d:Description><![CDATA[a <b>]]></d:Description></Topic>
<Topic r:id='Top/Arts/Music'/>
<ExternalPage about="http://a.example/"><d:Title>Opera</d:Title><topic>Top/Arts/Music</topic></ExternalPage></RDF>
`,
  ],
})

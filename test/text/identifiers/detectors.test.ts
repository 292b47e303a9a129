import { describe, expect, test } from "vitest"
import type { IdentifierKind } from "#dist/text/identifiers/kinds.js"
import { nationalIdSchemes } from "#dist/text/identifiers/national-id-schemes.js"
import { detectorOf } from "#dist/text/identifiers/registry.js"

/** What each detector promises to find, and what it promises to leave. The labelled files have many more examples. */
const promises: [IdentifierKind, { finds: string[]; leaves: string[] }][] = [
  [
    "email",
    {
      finds: [
        "a@example.com",
        "first.last+tag@mail.example.co.uk",
        "mail for x_y@example.org please",
        "jane at example dot com",
        "jane [at] example.com",
        "jane84 at yahoo.com",
        "jane%40example.com",
        "jane@aol",
        "logo@2x.png by jane@example.com",
        "jürgen@exämple.de",
      ],
      leaves: ["@example.com", "logo@2x.png", "shop at amazon.com", "jane@", "a @ b", "5 @ 3 dollars", "yahoo mail"],
    },
  ],
  [
    "phone",
    {
      finds: [
        "555-0100",
        "(212)555-0100",
        "1-212-555-0100",
        "212.555.0100 fax",
        "2125550100",
        "+442079460018",
        "00 49 30 23125 000",
        "020 7946 0018 24 hours",
        "(030) 23125000",
        "01 99 00 00 01",
        "call 5550100",
        "212-555-0100x12",
      ],
      leaves: [
        "212-555-01",
        "1234-5678",
        "part 212-555-0100",
        "$212-555-0100",
        "01/02/2003",
        "01 02 03 04 05 06 lotto",
        "call 2004 2005",
        "call of duty 2",
        "3.1415926535",
        "5550100",
        "911",
      ],
    },
  ],
  [
    "card",
    {
      finds: [
        "4111111111111111",
        "4111-1111-1111-1111",
        "pay 3782 822463 10005 now",
        "1234 4111 1111 1111 1111",
        "4222222222222",
      ],
      leaves: [
        "4111111111111112",
        "1234567890123456",
        "4111 1111 1111 111",
        "41111111111111111111111",
        "0.4111111111111111",
      ],
    },
  ],
  [
    "national-id",
    {
      finds: [
        "078-05-1120",
        "ssn 078051120",
        "987-65-4320",
        "ab123456c",
        "046-454-286",
        "12345678z",
        "x-1234567-l",
        "111.444.777-35",
        "811228-9874",
        "131052-308t",
        "bsn 111222333",
      ],
      leaves: [
        "078051120",
        "000-05-1120",
        "078-00-1120",
        "987-66-4320",
        "gb123456c",
        "12345678a",
        "811328-9874",
        "111222333",
        "$078-05-1120",
      ],
    },
  ],
  [
    "ip",
    {
      finds: [
        "192.0.2.7",
        "198.51.100.7:8080",
        "ip 1.2.3.4",
        "2001:db8::1",
        "2001:db8:0:0:0:0:0:1",
        "::ffff:192.0.2.7",
      ],
      leaves: [
        "1.2.3.4",
        "192.168.1.254",
        "172.16.0.1",
        "127.0.0.1",
        "255.255.255.255",
        "256.1.1.1",
        "192.0.2",
        "192.0.2.7.8",
        "version 192.0.2.7",
        "8.8.8.8",
        "::1",
        "::",
        "a::b",
        "1:2:3:4",
        "12:30:00",
      ],
    },
  ],
  [
    "address",
    {
      finds: [
        "12 oak st",
        "12 oak street springfield",
        "350 w 42nd st",
        "12 oak dr, springfield",
        "po box 12",
        "hauptstraße 12",
        "12 rue des lilas",
        "via roma 10",
        "calle mayor no 4",
        "12 oak springfield il 62704",
        "12 ab1 2de",
        "1500 broadway apt 3",
      ],
      leaves: [
        "oak st",
        "42nd street",
        "10 downing street",
        "221b baker st",
        "12 st louis hotels",
        "500 gb hard drive",
        "route 66",
        "5 star hotel on oak street",
        "62704",
        "springfield il 62704",
        "calle 13",
        "hauptstraße 2006",
        "2 way street",
      ],
    },
  ],
  [
    "birth-date",
    {
      finds: [
        "born 3/14/1972",
        "dob 14.03.72",
        "d.o.b. 1972-03-14",
        "born on march 14th, 1972",
        "geboren 14. märz 1972",
        "nato il 14 marzo 1972",
      ],
      leaves: [
        "3/14/1972",
        "born in 1972",
        "born march 14",
        "born 13/32/1972",
        "born march 14 1872",
        "nato 14 april 1972",
        "birthday cake 3/14/1972",
      ],
    },
  ],
  [
    "account",
    {
      finds: [
        "gb82 west 1234 5698 7654 32",
        "1m8gdm9axkp042788",
        "00:1b:44:11:3a:b7",
        "123e4567-e89b-12d3-a456-426614174000",
        "1z999aa10123456784",
        "304719586",
        "account number 48213",
        "password hunter2",
        "my password is swordfish",
        "pin is 4821",
        "username jdoe84",
        "@jdoe84",
        "myspace.com/jdoe84",
      ],
      leaves: [
        "gb83 west 1234 5698 7654 32",
        "isbn 9780306406157",
        "9780306406157",
        "upc 036000291452",
        "1000000000",
        "123456789",
        "1010101010",
        "304719586 + 1",
        "304719586 digits of pi",
        "password generator",
        "password windows2000",
        "my password",
        "pin 1394",
        "@media",
        "@yahoo.com",
        "myspace.com/login",
        "account 2006",
      ],
    },
  ],
  [
    "coordinates",
    {
      finds: [
        "40.7128, -74.0060",
        "40.712n 74.006w",
        "gps 40.712 -74.006",
        "40°42'46\"n 74°0'22\"w",
        "n40 42.768 w74 00.360",
        "8fvc9g8f+6w",
      ],
      leaves: [
        "40.712 -74.006",
        "40 n 74 w",
        "91.1234, 10.1234",
        "10.1234, 181.1234",
        "$40.7128 74.0060",
        "1.5 2.5",
        "36-24-36",
      ],
    },
  ],
  [
    "person",
    {
      finds: [
        "john smith",
        "smith, john",
        "john q testperson",
        "jane van der berg",
        "jennifer unheardofname",
        "rose martinez",
        "dr smith",
        "jean-luc dubois",
        "grace unheardofname obituary",
        "jane o'brien's blog",
      ],
      leaves: [
        "john",
        "smith",
        "rose garden",
        "austin texas",
        "harry potter",
        "john deere tractor",
        "thomas jefferson high school",
        "san luis obispo",
        "st john smith",
        "dr pepper",
        "best buy",
        "grace period",
      ],
    },
  ],
]

describe.each(promises)("%s", (kind, { finds, leaves }) => {
  const { detect } = detectorOf(kind)

  test.each(finds)("is found in %j", (query) => {
    expect(detect(query)).toBe(true)
  })

  test.each(leaves)("is not found in %j", (query) => {
    expect(detect(query)).toBe(false)
  })

  test("is found anywhere in a query", () => {
    const lost = finds.filter((query) => !detect(`zzyzx ${query}`) && !detect(`${query} zzyzx`))
    expect(lost).toEqual([])
  })
})

describe("national id numbers", () => {
  const { detect } = detectorOf("national-id")

  /** Numbers as people write them: published examples and invalid numbers. */
  test.each([
    ["US", "219-09-9999"],
    ["GB", "jg 10 37 59 a"],
    ["CA", "046 454 286"],
    ["DE", "86 095 742 719"],
    ["FR", "1 84 12 76 451 089 46"],
    ["ES", "12.345.678-z"],
    ["IT", "rssmra85t10a562s"],
    ["NL", "1112.22.333"],
    ["BR", "529.982.247-25"],
    ["IN", "9999 9999 0019"],
    ["CN", "11010519491231002x"],
    ["PL", "44051401359"],
    ["SE", "19811228-9874"],
    ["FI", "010594y9032"],
    ["NO", "15076500565"],
    ["BE", "85.07.30-033.28"],
    ["CH", "756.9217.0769.85"],
    ["CL", "12.345.678-5"],
    ["KR", "850101-1000010"],
    ["MX", "hegg560427mvzrrl04"],
  ])("of %s are found as they are written: %s", (country, id) => {
    expect(nationalIdSchemes.some((scheme) => scheme.country === country)).toBe(true)
    expect(detect(id)).toBe(true)
    expect(detect(`my number is ${id} ok`)).toBe(true)
  })
})

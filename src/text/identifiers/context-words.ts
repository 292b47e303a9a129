import { wordSet } from "./query-text.ts"

/**
 * Words that show that a long number next to them belongs to a thing and to no person: catalogues, patents, standards.
 */
export const catalogueWords = wordSet(`
  part parts model item sku isbn upc ean gtin asin nsn oem catalog catalogue patent patents lego barcode pn mpn doi issn
  ebay stock pmid arxiv artikelnummer teilenummer
`)

/** Words about telephone numbers. */
export const phoneWords = wordSet(`
  phone phones telephone tel fone cell cellphone mobile fax call called calling caller calls dial text texted sms
  whatsapp reverse lookup landline pager voicemail number telefon telefonnummer rufnummer handy handynummer nummer
  teléfono telefono telefone celular móvil movil téléphone portable numéro numero cellulare telefoon mobiel
  telefonnumer puhelin
`)

/** Words about arithmetic, where a long number is only a number. */
export const mathWords = wordSet(`
  binary hexadecimal hex decimal octal prime primes factorial factor factors sqrt root squared cubed divided multiply
  multiplied times plus minus equals calculate calculator convert conversion fibonacci digits pi fraction population
  bytes lotto lottery powerball megamillions mega
`)

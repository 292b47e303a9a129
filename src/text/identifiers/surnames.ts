import { wordSet } from "./query-text.ts"

/** Surnames that are hardly anything else. Written for this package from the commonest of many countries. */
export const surnames = wordSet(`
  abbott abdullah abrams acosta adams adamson adkins aguilar aguirre ahmed akhtar albrecht alexander ali allen alonso
  altman alvarado alvarez amato andersen anderson andersson andrade andrew andrews anthony antonelli aquino arias
  armstrong arnold arroyo arthur ashworth atkins atkinson avila ayala bailey baldwin ballard barber barbieri barker
  barlow barnes barnett barr barrera barrett barron bartlett barton bartosz basu bates bauer bauman baxter beard
  beasley beatty bechtel beck becker beckett beckham benitez bennett benson bentley berg berger bergman bernard
  bernstein bertrand bhatt bianchi blackburn blackwell blair blake blanc blanchard blevins boateng bond bonilla bonnet
  booker bowen bowers bowman boyd boyle bradford bradley bradshaw brady brandt brennan brewer briggs brock brooks
  browne browning bruce bruno bryan bryant buchanan buckley burgess burke burnett burton butler byrd byrne cabrera
  cain calderon caldwell calhoun callahan camacho cameron campbell campos cannon cantrell cantu cardenas carey carlson
  carlsson carney carpenter carr carrillo carroll carson carvalho casey cassidy castaneda castillo castro cervantes
  chambers chan chandler chang chapman charles chaudhary chavez chen cheng chopra choudhury christensen christiansen
  chung churchill clark clarke clayton clements cohen coleman collier collins colombo combs compton conley connell
  connelly conner connolly connor conrad conti contreras conway cooke cooper copeland cordova cortez costa costello
  cowan cox craig crawford crosby cruz cummings cunningham curry curtis dahl dalton daniel daniels dasilva davenport
  davidson davies davis dawson decker delacruz delaney deleon delgado deluca dennis desai diaz dickerson dickinson
  dickson dietrich dillard dillon dixon dodson doherty dominguez donaldson donnelly donovan dorsey dougherty douglas
  downs doyle drake dubois dudley duffy dumont duncan dunlap dunn dupont duran durand durham dutta dyer eaton edwards
  elliott ellis ellison emerson english erickson eriksen eriksson escobar espinosa espinoza esposito estes estrada
  evans everett farley farmer farrell faulkner ferguson fernandes fernandez ferrara ferrari ferreira fields figueroa
  finley fischer fisher fitzgerald fitzpatrick fleming fletcher flores flynn foley fontaine forbes ford foster
  fournier fowler francis franco franklin frazier frederick freeman fuchs fuentes fuller gaines gallagher gallegos
  galloway galvan gamble garcia gardner garner garrett garrison garza gates gauthier gentry george gibbs gibson
  gilbert gill gillespie gilmore giordano girard glass glenn glover goldberg goldman goldstein gomes gomez gonzales
  gonzalez goodman goodwin gordon gould graham graves greco greene greer gregory griffin griffith grimes gross guerra
  guerrero gupta gustafson guthrie gutierrez guzman haas hahn hale haley hamilton hammond hampton hancock hanna hansen
  hanson hansson hardin harding harmon harper harrell harrington harris harrison hartman hartmann harvey hassan
  hatfield hayes haynes heath hebert heller henderson hendricks hendrix henry hensley henson herman hermann hernandez
  herrera herring hess hester hewitt hickman hicks higgins hinton hobbs hodge hodges hoffman hoffmann hogan holcomb
  holden holder holland holloway holmes holt hoover hopkins horne horton houston howard howe howell hubbard huber
  hudson huerta huff huffman hughes hull humphrey hunt hurley hurst hussain hutchinson huynh ibarra ibrahim ingram
  irwin ivanov ivanova iyer jackson jacobs jacobson jaeger jain james jansen janssen jarvis jefferson jenkins jennings
  jensen jimenez johansen johansson john johns johnson johnston jones jordan joseph joyce juarez jung kaiser kane kang
  kaplan karlsson kaufman kaur keith keller kelley kelly kemp kennedy kerr khan kim kirby kirk klein kline knapp knox
  koch koenig kowalczyk kowalski kozlowski kramer kraus krause krueger kruger kuhn kumar kuznetsov lambert lang lara
  larsen larson larsson lawrence lawson leblanc lefebvre lehmann leon leonard leone leroy lester levine levy
  lewandowski lewis li lin lindberg lindgren lindsay lindsey lindstrom liu livingston lloyd lombardi lombardo lopez
  lorenz lowe lowery lozano lucas lucero luna lund lynch lynn lyons maas macdonald macias mack mackay mackenzie maddox
  mahoney maier maldonado malik malone mancini mancuso mann manning marin marino maris marks marquez marshall martin
  martinez martini martins mason massey mathews mathis matthews maurer maxwell mayer maynard mayo mazur mcbride mccall
  mccann mccarthy mccarty mcclain mcclure mcconnell mccormick mccoy mccullough mcdaniel mcdonald mcdowell mcfarland
  mcgee mcgowan mcgrath mcguire mcintosh mcintyre mckay mckee mckenna mckenzie mckinney mcknight mclaughlin mclean
  mcleod mcmahon mcmillan mcneil mcpherson mcqueen meadows medina mehta mejia melendez melton mendes mendez mendoza
  mercado mercer merritt meyer meyers michael middleton miles miller mills miranda mitchell molina monroe montes
  montgomery montoya mooney moore mora morales moran moreau moreira moreno moretti morgan morin morris morrison morrow
  morse morton moses mosley moss moyer mueller muller mullins munoz murillo murphy murray muñoz myers müller nadeau
  naidu nair nakamura nash navarro neal nelson neumann newman newton nguyen nichols nicholson nielsen nilsson nixon
  noble nolan noonan norman norris norton novak nowak nunez núñez obrien ochoa oconnor odonnell ogden okafor oliveira
  oliver olsen olson olsson oneal oneil oneill orozco orr ortega ortiz osborn osborne owen owens pacheco padilla
  palmer papadopoulos parker parks parrish parsons patel patil patrick patterson patton paul payne pearson peck
  pedersen pena pennington pereira perez perkins perry persson peters petersen peterson petersson petrov petrova petty
  peña pham phelps phillips pierce pineda pinto pittman poole popescu porter portillo poulsen powell powers pratt
  preston prince pruitt pugh quinn rahman ramirez ramos ramsey randall randolph rao rasmussen ray raymond reddy reed
  reese reeves reid reilly reyes reynolds rhodes ribeiro ricci richard richards richardson richter riley rinaldi rios
  ritter rivas rivera rivers rizzo roach robbins roberson roberts robertson robinson robles rocha rodgers rodrigues
  rodriguez rogers rojas roman romano romero rosales rosario rosen rosenberg ross rossi roth rousseau rowe rowland roy
  rubio ruiz rush russell russo ryan sacks saito salas salazar salinas sampson samuels sanchez sanders sanderson
  sandoval sanford santana santiago santoro santos sato saunders sawyer schaefer schmid schmidt schmitt schmitz
  schneider scholz schroeder schultz schulz schulze schuster schwartz schwarz sciarra scott sellers sepulveda serrano
  sexton shaffer shah shannon sharma shaw shea shelton shepard shepherd sheppard sherman shields silva silverman
  simmons simon simpson sims sinclair singh singleton sinha skinner slater sloan smith smyth snyder solis solomon
  somerville soriano sosa soto sousa souza spears spence spencer stafford stanley stanton stark steele stein stephens
  stephenson stevens stevenson stewart stokes stout strickland suarez sullivan sutherland sutton suzuki swanson
  sweeney sylvester szabo talbot tanaka tanner tate taylor terrell terry thakur thomas thompson thomsen thomson
  thornton tillman torres townsend tran travis trevino trujillo tucker turner tyler underwood valdez valencia
  valentine valenzuela vance vandyke vargas vasquez vaughan vaughn vazquez vega velasco velasquez velazquez velez
  verma vicente villa villanueva villarreal vincent vogel volkov vollmer wade wagner walker wallace walsh walter
  walters walton wang ward warner warren washington watanabe watkins watson watts weaver webb weber webster wei
  weinberg weiner weiss welch weller wells werner west whitaker whitehead whitfield whitney wiggins wilcox wilder
  wiley wilkerson wilkins wilkinson williams williamson willis wilson winkler winters witt wojcik wolfe wolff wong
  woodard woodruff woods woodward wright wu wyatt xu yamamoto yang yates yilmaz yoder york yu zamora zapata zhang zhao
  zhou ziegler zimmerman zimmermann
`)

/** Surnames that are also everyday words: they count only behind a clear given name. */
export const wordSurnames = wordSet(`
  ash baker ball bank banks barn bass beach bean bell berry best bird bishop black bloom booth bowl branch bridges
  brown buck bullock burns bush butcher cage camp case cash chase church clay cline coffey cole cook craft crane cross
  crow day dean diamond dove early field finch flowers fox french friend frost garden gold golden good grant gray
  green grey hall hand hardy hart hawk hawkins hay head heart hill hood hook horn house hunter key kidd king knight
  lake land lane law leach lee little lock long lord love low lucky mace marsh may mead moody moon nance north null
  nunn page parish park parson pepper pike pitt poe pool pope post potter price pride quick rains reader rice rich
  riddle root rose rowan sage sands savage scales seal sharp short silver small snow south sparks spring star steel
  stone storm street strong summers swan swift temple tower trotter vale wall waller walls warden waters weeks wheeler
  white wilde wise wolf wood woody worth young
`)

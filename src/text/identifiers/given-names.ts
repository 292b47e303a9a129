import { wordSet } from "./query-text.ts"

/** Given names that are hardly anything else, from the countries that search in Latin letters. Written for this package. */
export const givenNames = wordSet(`
  aaron abbie abby abdul abdullah abigail abraham adam addison adelaide adele adlai adrian adriana adrienne agata
  agnes agnieszka ahmad ahmed aidan aileen aisha akira alan alana albert alberto alec alejandra alejandro aleksandr
  aleksandra alessandra alessandro alex alexa alexander alexandra alexandre alexandria alexei alexis alfie alfonso
  alfred alfredo alice alicia alison allen allie allison alma alvaro alvin alyssa amanda amelia amelie amina amir amit
  amos amy ana anastasia anders andre andrea andreas andrei andres andrew andriy andrzej andrés andy angela angelica
  angelina angie angus angélica anh anil anita anja anjali ann anna annabelle anne annegret annelie annette annie
  annika anouk anthony antoine antoinette anton antonia antonio anya aoife archie ariana ariel arjun arlene armando
  arnold arthur arturo arun ashley ashok asif astrid audrey augusto aurélie axel ayesha aylin ayşe barb barbara barney
  barry bart bartholomew bartosz beatrice beatriz becky begoña belinda bella ben benedict benjamin benny benoît
  bernadette bernadine bernard bernardo bernd bernice bernie bert bertha bessie beth bethany betsy bette bettie betty
  beverly beyonce bianca bilal birgit bjorn björn blanca blanche bo bob bobbie bobby bonnie boris brad bradley bram
  brandi brandon brandy bree brenda brendan brent brett brian briana brianna bridget brigitte britney brittany bruce
  bruno bryan bryce caitlin caleb callum calvin cameron camila camille candace candice carina carl carla carlo carlos
  carlton carly carmen carmine carol carole caroline carolyn carrie casey cassandra cassie catalina caterina catherine
  cathleen cathy caylee cecelia cecil cecilia cedric celeste celia celine cesar chad chandra charlene charles charlie
  chelsey cheri cheryl cheyenne chiara chidi chloe chris christa christiane christina christine christoph christophe
  christopher christy chuck cindy claire clara clarence clarice clarissa claude claudia claudio claus clayton cletus
  clifford clint clinton clyde cody coleen colette colin colleen connie connor conor constance cora corey corinne
  cornelia cory courtney craig cristian cristina curtis cynthia cyrus cédric céline damian damien damon dan dana dani
  daniel daniela daniele danielle danny daphne darius dariusz darla darlene darnell darrell darren darryl dave david
  davide deanna deb debbie deborah debra dee deepak deirdre delia della delores deloris demetria dena denis denise
  dennis derek derrick desiree desmond detlef devin dexter diana diane dianne diego dieter dietmar dirk dmitri dolores
  dominic dominick dominik dominique don donald donna dori dorian doris dorothea dorothy doug douglas duane duncan
  dustin dwayne dwight dylan ebony ed eddie edgar edgardo edith edmund edna eduardo edward edwin effie eileen
  ekaterina elaine elbert eldon eleanor elena eleonora eli eliana elias elijah elisa elisabeth elisabetta elise eliza
  elizabeth ella ellen ellie elliott elmer elmore eloise elsa elsie elton elvira elvis elżbieta emanuel emanuele emil
  emile emiliano emilie emilio emily emma emmanuel emmett emre enid enrico enrique eric erica erich erik erika erin
  erma ernest ernesto ernie erwin esmeralda esperanza esteban estella estelle esther ethan ethel etienne etta eugene
  eugenia eunice eva evan evelyn ewa fabian fabio fabrice faisal fang farah fatima fatma faye federica federico
  felicia felipe felix femke ferdinand fernanda fernando filip filippo fiona florian frances francesca francesco
  francine francis francisco francois frank frankie franz françois fred freda freddie frederic frederick frederik
  frida fritz gabby gabriel gabriela gabriele gabriella gabrielle gail gareth garrett gary gavin gena geneviève geoff
  geoffrey george georgette georgina gerald geraldine gerard gerardo gerhard gerry gertrude giacomo giancarlo gianluca
  gianna gianni gil gilbert gilles gina giorgio giovanna giovanni gisela giselle giulia giuliano giuseppe gladys
  glenda glenn gloria gonzalo gordie gordon greg gregor gregorio gregory greta gretchen grzegorz guadalupe guenter
  guido guillaume guillermo gunther gus gustav gustavo gwen gwendolyn gwyneth günter hal hamza hannah hannelore hannes
  hans hao harald harold harriet harry hartmut haruto harvey hasan hassan hattie heather hector heidi heike heinrich
  heinz helen helena helene helga helmut henri henrietta henrik henrique henry herbert herman hermann hernando hieu
  hilary hilda hillary hiroshi holger hong horace horst howard hubert hugh hugo hui humberto hussein hélène hülya ian
  ibrahim ida ignacio igor ilaria ilse imran ines inga inge ingeborg ingrid ira irena irene irina irma iryna isaac
  isabel isabella isabelle isaiah ismail israel ivan ivana ivonne jaap jacek jackie jacob jacqueline jacques jaime
  jake jakob jakub jamal james jamie jamila jan jana jane janelle janet janette janice janie janine jared jasmine
  jason javier jay jayden jeanette jeanne jeannette jeannie jed jeff jeffery jeffrey jelena jenifer jenna jennifer
  jenny jens jeremiah jeremy jermaine jerome jerri jerry jesse jessica jessie jesus jihoon jill jillian jim jimi jimmy
  jing jo joachim joan joann joanna joanne joao joaquin jocelyn jodi jody joe joel joerg joey johan johann johanna
  johannes john johnathan johnnie johnny jolanta jolene jon jonas jonathan joost jorge jose josef josefina joseph
  josephine josh joshua josiah josé joyce joão juan juana juanita judith judy jules julia julian juliana julie julien
  juliet juliette julio julius jun jurgen justin justine justyna jérôme jörg jürgen kaitlyn kamil kara karen kari
  karin karina karl karla karsten kasey katarina katarzyna kate katelyn katerina katharina katherine kathi kathleen
  kathryn kathy katie katja katrin katy kay kayden kayla kaylee keisha keith keli kelly kelsey ken kendra kenji
  kenneth kenny keri kerry kevin khadija khalid kiara kim kimberly kirk kirsten kirsty klaus kris krishna krista
  kristen kristi kristin kristina kristine krystal krzysztof kumar kurt kwame kyle lakshmi lamar lana lara larissa
  larry lars latasha latisha latoya laura lauren laurence laurent laurie lawrence leah leandro leanne leila lela lena
  lenny leo leon leona leonard leonardo leopold leroy leslie lester leticia letitia lexi lia liam lidia liesbeth lila
  lillian lillie lilly linda lindsay lindsey linh lionel lisa liz lloyd lois lola lorena lorenzo loretta lori lorna
  lorraine lottie louis louise luann luc luca lucas lucia luciana luciano lucie lucille lucinda lucy ludwig luigi luis
  luisa lukas lukasz luke lula lupe luther lydia lyle lynda lyndon lynn lynne léa mabel maciej mackenzie madeleine
  madeline mae magdalena maggie mahmoud maja makayla malcolm malgorzata malik mandy manfred manoj manuel manuela mara
  marc marcel marcela marcelo marcia marcin marco marcos marcus marcy marek maren margaret margarita margie margot
  maria mariah mariam marian mariana marianne mariano marie marilyn marina mario marion marisa marissa mariusz
  marjorie marla marlene marni marsha marta martha martin martina marvin mary maryann maryanne maría mateo mateusz
  mathew mathias mathieu mathilde matt matteo matthew matthias mattie maude maureen maurice mauricio mauro mavis
  maximilian maxine maya megan meghan mehmet mei melanie melba melinda melissa meredith merv mervyn mia micah michael
  michaela michal michał michel michele michelle mickey miguel mika mikael mike mikhail milan mildred milena millie
  milos milton mimi mindy ming minho miranda miriam mitch mitchell mohamed mohammad mohammed moira moises mollie molly
  mona monica monika monique morris moses muhammad murat muriel mustafa myra myrtle mélanie mónica nadia nadine nan
  nancy naomi natalia natalie natasha nate nathalie nathan nathaniel neal ned neil nell nelly nettie ngozi nia niamh
  nichelle nicholas nick nicky nicola nicolas nicole niels nigel nikhil nikita nikki nikolai nils nina nita noah noel
  noelle nora norbert noreen norm norma norman octavio odell odessa odette oksana olaf oleg olga oliver olivia olivier
  ollie oluwaseun omar orlando oskar osman otto owen pablo pam pamela paola paolo pascal patrica patricia patrick
  patrik patsy paul paula paulette pauline pavel pawel paweł pedro peggy penelope percy pete peter petra phil philip
  philipp philippe phillip phoebe phyllis pierre pieter pilar piotr polly prakash pratik preeti priscilla priya qasim
  quentin quincy rachael rachel rafael raffaele rahul rainer raj rajesh rakesh ralph ramesh ramiro ramon ramona
  randall randi randy raphael raquel rashid raul ravi raymond raúl reba rebecca reggie regina reginald reinhard rekha
  rena renata renate rene renee rené rhoda rhonda ricardo richard rick ricki rickie ricky rita rob robbie robert
  roberta roberto robyn rocco rochelle rocío roderick rodney rodolfo rodrigo rogelio roger rohan roland rolando rolf
  romain ron ronald ronnie rosa rosalie rosalind rosalyn rosario roseanne rosemarie rosie ross rowena roxanne roxie
  roy ruben rudolf rudolph rudy rupert russell ruth ruud ryan sabine sabrina sadie sakura sally salma salvador
  salvatore sam samantha samir samuel sandeep sandra sandro sanjay sanne santiago saoirse sara sarah sasha saskia saul
  scott sean sebastian sebastien selena selma serena serge sergei sergey sergio seth shana shanda shane shania shanna
  shannon shari sharon shaun shauna shawn shawna sheila sheldon shelley sheri sherri sherrie sherry sheryl shirley
  shonda shreya sid siddharth sidney siegfried sigrid silke silvia simon simona simone siobhan sipho sofia sofie sofía
  sonia sonja sonya sophia sophie spencer stacey staci stacy stan stanislaw stanley stefan stefania stefanie stefano
  steffen stella stephanie stephen steve steven stewart stuart sue suman sunil suresh susan susana susannah susanne
  susie suzan suzanne suzy sven svenja svetlana sybil sylvia sylvie tabitha tadeusz takeshi tamara tami tamika tammy
  tania tanya tara tariq tasha tatiana tatyana ted terence teresa teri terrance terrence terri terry tess tessa thabo
  thad thanh thelma theo theodore theresa therese thiago thomas thorsten thérèse tia tiffany tim timothy tina tobias
  toby todd tom tomas tomasz tommaso tommy tomás toni tony tonya tori torsten tracey traci tracie tracy travis trevor
  tricia trina trisha tristan trudy tyler tyree tyrone ulrich ulrike uma ursula usha ute uwe valarie valentina valeria
  valerie vanessa velma vera vern verna vernon veronica veronika veronique verónica vicente vicki vickie vicky vijay
  vikram viktor vince vincent vincenzo vinod viola violeta vivek vivian viviana vladimir vladislav wallace walt walter
  wanda warren wayne wei wendell wendy werner wesley whitney whoopi wilbur wilfred wilfredo wilhelm wilhelmina willa
  willem william willie wilma winifred winnie winston wojciech wolfgang xavier xiaoming xin yan yasin yasmin yelena
  yesenia ying yolanda youssef yuki yulia yuri yusuf yvette yvonne zach zachary zack zainab zbigniew zelda zeynep zoe
  zoltan émilie łukasz
`)

/** Given names that are also words, months, towns, states or brands: they count only before a clear surname. */
export const ambiguousGivenNames = wordSet(`
  alpha amber angel apple april art ashton aspen august aurora austin autumn ava bailey basil bay bell bill billy
  blair blake blaze bliss brook brooke brooklyn buck bud candy carolina carter chance charity charlotte chase chelsea
  cherry chester china christian christmas clay cliff cole colt constantine coral crystal daisy dakota dale dallas
  dawn dean delta diamond dick dixie dolly drew duke dusty earl eden eve faith fern flora florence forest gay gene
  genesis geneva georgia ginger glen grace grant gray guy hank harmony harper hazel heath heaven holly homer hope
  houston hunter ike iris ivy jack jackson jade jasper jean jefferson jewel jordan josie joy june junior justice karma
  katrina kent kitty lance laurel lee lei lily lincoln logan london lou madison major mark marshall mason max may
  melody mercedes mercy miles misty morgan murray nelson nova olive opal oscar page paige pansy paris parker pat
  patience patty pearl pearlie penny perry peyton phoenix ping piper poppy porter preston queen rain ray red reed
  reese rex rich river robin rocky rod roman rose rosemary ruby rusty sage sandy savannah scarlett shelby sienna
  sierra sky skye skyler sterling stone summer sydney taylor terra tiger trinity trip troy tucker van verity victor
  victoria violet virginia wade ward washington will willow winter woody zion
`)

/** Those of the ambiguous that are seldom a word where another word follows. */
export const seldomWords = wordSet(`
  amber ashton bailey bill billy blake brooke chester cliff dean dick drew earl glen hank heath jack jade josie lance mark oscar
  peyton ray reese rocky rod shelby skyler victor wade
`)

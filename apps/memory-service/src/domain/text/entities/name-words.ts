import { MONTHS, SHORT_MONTHS, SHORT_WEEKDAYS, WEEKDAYS } from '../words/calendar.ts';
import { KIN } from '../words/kin.ts';

/** Lists of English words that help to find names, in lower case. Other languages have patterns and repetition only. */
const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Words that are always capitalised and are no names. */
export const NEVER_NAMES = words(`
  ${[...WEEKDAYS, ...WEEKDAYS.map((day) => `${day}s`), ...SHORT_WEEKDAYS, ...MONTHS, ...SHORT_MONTHS].join(' ')}
  tues thur thurs am pm utc gmt cet est pst ok fyi asap todo lol omg btw imo tbd eta faq
  utf-8 utf-16 iso-8601 sha-1 sha-256 nb pr prs ps id ids url urls christmas easter english dear mr mrs ms dr prof sir madam
  ${KIN.replaceAll('|', ' ')}`);

/** Openers: words that begin a sentence before a name or instead of one, as in "Ask Dana", "Yesterday Ravi", "Deployment failed". */
export const OPENERS = words(`
  add adding apply archive ask assign assume avoid back bring build built call called can cancel change changed check
  checked clean close closed come commit compare confirm consider contact copy could create created decide decided define
  delete deleted deploy deployed describe did disable document documented does drop dropped email enable ensure explain
  extend fetch find finish finished fix fixed follow found get give go got guess had has have help hold hope import improve
  include increase install invite is join keep keeping know learn leave leaving left let like link list listen load log
  look looking looks love loved made make making may meet meeting merge merged message met migrate might monitor move
  moved must name need needs notify note noted open pay pick ping pinned plan planning please prefer print publish pull
  push put raise ran read reading refactor reject release released remember remind remove removed rename replace replaced
  reply report reported reset restart restore retry return review reviewed revert rewrite roll rotate run running said save
  saw say scale schedule see seems send sent set share ship shipped should show shut sign skip slack sorry sort start
  started starting stop store submit suggest support switch switched sync take talk talked teach tell test tested text
  thanks think thinking told took track try trying turn turned unblock update updated upgrade upgraded upload use used
  using verify visit visited wait waiting walk want wanted warn was watch welcome went were will wish work worked working
  would wrap write wrote
  actually additionally afterwards again almost already also although always another any anybody anyone anything anyway
  apparently around as because before besides between both but by certainly clearly congrats congratulations consequently
  currently despite during each earlier either else especially eventually ever every everybody everyone everything exactly
  except finally first five following for four from further generally good goodbye great guys half hello hence hey hi how
  however if important in indeed initially instead it just last lastly later lately least less likewise maybe meanwhile
  more moreover morning most much nearly neither never nevertheless new next nice no nobody none nor not nothing now
  obviously of often oh old on once one only or originally other others otherwise our out over overall perhaps personally
  plus possibly previously probably quite rather really recently same second seven several similarly since six so some
  somebody someone something sometimes somewhere soon specifically still such sure ten than that the their then there
  therefore these they third this those though three through thus till to today together tomorrow tonight too totally two
  unfortunately unless until up upon usually very via we well what whatever when whenever where whereas wherever whether
  which while who whoever whose why with within without wow yeah yep yes yesterday yet you your
  access action agenda alert alerts answer answers background backups bug bugs build builds cause caution chapter client
  clients code coffee company context cost costs customer customers data database date deadline decision decisions default
  dependencies deployment deployments details developers devs dinner docs documentation email emails engineering error
  errors everyone evidence example feature features feedback figure files food friends goal goals heads hint history hours
  idea ideas info infra issue issues item kids latency life logs lunch management meetings memory metrics migration
  migrations money monitoring music nights notes notice objective office option options order orders output owner owners
  page part password passwords payment payments people performance points priority problem problems product production
  progress project question questions reason reminder requests requirement requirements response result results retries
  rule sales school section secrets security server servers services sessions sleep software someone staging standup
  status step steps students subject summary support table tasks team teams tests thing things tickets time tip title topic
  traffic type types users version warning water weather week weekly work workers writing year years
  accepted added allowed allows alternatively amazing approved assigned attached automated average awesome bad based basic
  beautiful best better big blocked bumped busy cool correct critical daily definitely done due easy enough excellent
  excited fair false fast fine free full fun funny glad happy hard haha hmm huge incoming interesting internal local long
  lots manual many max maximum min minimum missing monthly nope null okay optional outgoing pending perfect possible proud
  quick ready related required resolved right safe scheduled short similar simple single slow small sounds special
  temporary terrible thank true undefined unknown wonderful worth wrong yay
  absolutely agree agreed ah aha anytime appreciate aw aww bet bye catch cheers congrats crazy enjoy feel feels felt gonna
  gotcha gotta ha hah haha hahaha hopefully kudos lemme lucky mm mmm nah oof oops phew she stay super thankfully truly turns
  wanna whoa woah woo woohoo yea yep yo yup`);

/** Words that belong to a name between two capitalised words: University of Oxford, Ludwig van Beethoven. */
export const CONNECTORS = words('of de da di del della la le du van von der den al el bin ibn y & und et');

export const PERSON_TITLES = words('mr mrs ms miss dr prof professor sir madam');

/** Words before the name of a person: verbs of meeting, greeting, asking, thanking. */
export const TO_PERSONS = words(
  'hey hi hello dear thanks thank bye ask asked asking tell told met meet meeting ping pinged remind',
);

/** Verbs after the name of a person. */
export const PERSON_VERBS = words(`
  said says asked asks thinks thought wants wanted prefers preferred likes liked dislikes hates loves loved told tells
  suggested suggests agreed agrees disagrees mentioned mentions explained believes hopes wrote writes reviewed reviews
  joined lives studied studies feels felt knows knew plans decided owns covers promised complained insists offered
  recommended recommends reminded replied noticed remembers forgot wishes went met moved works`);

/** Words in names of organisations. */
export const ORGANISATION_WORDS = words(`
  inc ltd llc corp gmbh ag plc sa company corporation university college institute bank foundation association group
  labs council ministry agency`);
export const PLACE_ENDINGS = words(
  'street avenue road square city town river lake mountain mountains park island beach bay valley county airport station',
);
export const PLACE_STARTS = words('lake mount river san port fort saint');
/** Words before or after the name of a project. */
export const PROJECT_WORDS = words(
  'project service services repo repository app application package library module team cluster',
);

/** Parts that make a hyphenated word a name: "auth-service", and not "long-term". */
export const TECHNICAL_PARTS = words(`
  api app apps auth backend bot build bucket cache cd ci cli client cluster config core cron css daemon db dev dns docker
  env etl frontend gateway git grpc host http https index infra ingest job jobs js json kafka key kit lib log logs mcp
  model mysql nginx node npm pg pipeline plugin pod postgres prod proxy py queue redis registry repo rest router rpc rust
  s3 schema sdk server service services smtp sql sqlite src ssh stack staging store svc sync table tcp test tests tls
  topic ts ui url vm vpc web webhook worker workers yaml`);

/** Common endings of host names that are no English words. */
export const HOST_ENDINGS = words(
  'com org net io dev app ai co edu gov internal local localhost localdomain lan cloud eu uk de fr nl ch at ca us jp cn in br au ru info tech xyz me',
);

/** Endings of file names. */
export const FILE_ENDINGS = words(`
  bash bat bin c cc cfg cjs conf cpp cs css csv dart db dockerfile docx env erb ex exs faiss fs gif go gz h hpp html ini
  ipynb jar java jpeg jpg js json jsonl jsx key kt lock log lua md mdx mjs mts ndjson onnx parquet pdf pem php png proto
  ps1 py r rb rs rst scala scss sh sql sqlite svelte svg swift tar tf toml ts tsx txt vue wasm xlsx xml yaml yml zip zig`);

/** Last parts that make an adjective of a compound: "api-based", "server-side". */
export const DESCRIBING_END =
  /-(?:\w+(?:ed|ing)|free|side|level|wide|only|first|like|ready|friendly|specific|driven|heavy|aware|agnostic|style)$/;
/** First parts that make no name with a number: "mid-2023", "top-10". */
export const DESCRIBING_START = /^(?:top|mid|pre|post|under|over|late|early|sub|non|part|grade|year|age|plus|minus)-/;

/** Prefixes of standards, whose names look like tickets. */
export const NO_TICKETS = words('utf iso sha md rfc covid hdmi usb aes rsa ipv mp ieee din sars');

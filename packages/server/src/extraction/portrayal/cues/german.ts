import type { CueTable } from "../cue-table.ts";

const things =
  "wahl|option|empfehlung|kauf|modell|" + "allrounder|kompromiss|tipp|anbieter|lösung|alternative";

/** How answers in German speak. */
export const german: CueTable = {
  language: "de",
  version: 1,
  endings: ["", "e", "er", "es", "en", "em", "ere", "eren", "erer", "eres"],
  namesHaveCapitals: false,
  negationStands: "both",
  negationReach: 3,
  cues: {
    pickObject: `
      greifen|greif|greife|griffe sie|zu|zum|zur; greifen sie zu|zum|zur; zu|zum|zur @ greifen
      setzen|setze sie? auf; entscheide|entscheiden mich|sie|sich für; ich würde zu
      wäre|ist mein favorit; nehmen|nimm|wählen|wähle|kaufen|kaufe sie?; probieren|testen sie`,
    advise: `
      empfehle|empfehlen|empfiehlt|empfohlen; würde|würden ich|wir? empfehlen; zu empfehlen
      rate|raten|rät ich|wir? zu; empfehlenswert~; lohnt|lohnen sich; kaufempfehlung`,
    pick: `
      mein|meine|meiner|unser|unsere favorit|favoriten|empfehlung|wahl
      mein|meine|meiner|unser|unsere tipp|sieger|nummer|testsieger
      testsieger|preis-leistungs-sieger|preistipp|kauftipp|preis-leistungs-tipp
      klar~ sieger|favorit; erste wahl; nummer eins
      richtige|ideale|perfekte|sichere|klare|naheliegende wahl
      ideal|perfekt|prädestiniert für|wenn; am besten geeignet; bestens geeignet; sichere bank
      eignet sich besonders|hervorragend|perfekt|ideal|am|gut? besten?; gewinnt; liegt vorn|vorne`,
    best: `
      best~ ${things}; best~ _ ${things}
      beste|bester|bestes für|insgesamt|im|in|gesamtpaket|unter
      ist|sind|gilt|gelten|als|bleibt der|die|das beste|bester|bestes|besten; am besten für
      insgesamt am besten; bestes|beste preis-leistungs-verhältnis; das beste gesamtpaket`,
    strong: `
      ausgezeichnet~|hervorragend~|exzellent~|ideal~; perfekt~|großartig~|fantastisch~|überragend~
      sehr|besonders|äußerst gut~|stark~|zuverlässig~|beliebt~
      herausragend~|erstklassig~|top|spitze; stark~; einer|eine|eines der besten|beliebtesten
      überzeugt|überzeugen|punktet|punkten|glänzt|glänzen|brilliert; führend~|unschlagbar~`,
    praise: `
      gut~|besser~|solid~|robust~|zuverlässig~; stabil~|sicher~|schnell~|leise~|leicht~|kompakt~
      günstig~|billig~|preiswert~|erschwinglich~|bezahlbar~|preisgünstig~
      flexibel|flexible|flexibler|vielseitig~
      komfortabel|komfortable|bequem~|angenehm~|hochwertig~|edel|langlebig~|modern~|innovativ~
      intuitiv~|benutzerfreundlich~|einfach zu; einfache bedienung|einrichtung
      übersichtlich~|klar strukturiert
      umfangreich~|umfassend~|groß~ auswahl|funktionsumfang|ökosystem|reichweite
      viele funktionen|integrationen; lang~ akkulaufzeit|laufzeit|garantie|lebensdauer|reichweite
      lange|längere akkulaufzeit; leistungsstark~|leistungsfähig~|kraftvoll~
      beliebt~|renommiert~|bewährt~|anerkannt~|geschätzt|gelobt|lobt|loben; bekannt für
      beeindruckend~|überzeugend~; vorteil|vorteile|stärke|stärken|pluspunkt|pluspunkte
      zeichnet sich; besticht|bestechen; preis-leistung|preis-leistungs-verhältnis; sein geld wert
      ihr geld wert; effizient~|präzise|präzises|genau~
      schöner|schönes|schöne|attraktiv~|elegant~; kostenlos~
      wertig~|ausgereift~|nahtlos~|reibungslos
      freundlich~|kompetent~|schnell~|guter support|kundenservice|service
      weniger|kein rauschen|aufwand`,
    suggest: `
      könnte|kann|dürfte|sollte|sollten interessant|passen|richtig|in|sie|genau; einen blick wert
      kommt infrage; schauen sie; ist|sind|wäre das|die|der richtige; passt|passen
      bietet|bieten sich an`,
    criticize: `
      teuer~|teurer~|kostspielig~|hochpreisig~|überteuert~
      hoher|hohe|hohen|höherer preis|preise|kosten|anschaffungspreis
      nachteil|nachteile|schwäche|schwächen|kritik|kritikpunkt
      kritikpunkte|manko|mankos|minuspunkt|einschränkung|einschränkungen
      schwach~|schwächer~|schlecht~|mäßig~
      mittelmäßig~|enttäuschend~|unzuverlässig~|fehleranfällig~
      langsam~|laut~|lauter|schwer~|klobig~
      sperrig~|unhandlich~|umständlich~|kompliziert~|unübersichtlich~|veraltet~
      fehlt|fehlen|mangelt|mangelnd~; begrenzt~|eingeschränkt~|beschränkt~
      kurz~|kürzer~ akkulaufzeit|laufzeit|reichweite; hält|halten nur|nicht kurz|lang|lange
      zu groß|klein|schwer|teuer|laut|langsam
      gewöhnungsbedürftig~|verbesserungswürdig~|störend~|störanfällig~
      bemängelt|bemängeln|kritisiert|kritisieren|beklagen|beschweren
      hinkt|hinken|schwächelt|schwächeln; lässt zu wünschen
      weniger gut|flexibel|komfortabel|geeignet|umfangreich
      weniger robust|intuitiv|funktionen|leistung|stark|zuverlässig
      nicht ganz|immer|billig|günstig|optimal|ideal|perfekt|so|besonders|für; steile lernkurve
      einarbeitung nötig|erforderlich; probleme mit|bei
      ärger|rückruf|datenschutzbedenken|versteckte kosten
      benötigt|erfordert ein|eine|einen? abo|zubehör|zusätzlich|geduld|einarbeitung`,
    caveat: "weniger|kleiner|geringer|nur|etwas|relativ|höher|größer|allerdings",
    discourage: `
      rate|raten|rät|abraten _ ab; abzuraten|abraten; würde|würden ich|wir _ abraten; finger weg
      nicht|kaum|nie zu? empfehlenswert|empfehlen; nicht mehr? empfohlen
      lohnt|lohnen sich _ nicht; meiden|vermeiden; einen _ bogen; machen sie einen bogen
      besser|lieber verzichten|meiden; sollten sie meiden|vermeiden; warnen|warnt|gewarnt vor? @?`,
    notFound: `
      keine|wenig|kaum|keinerlei verlässlichen|verlässliche? informationen|angaben|hinweise
      keine|wenig|kaum|keinerlei konkreten|konkrete? informationen|angaben|hinweise
      keine|wenig|kaum|keinerlei verlässlichen|verlässliche? daten|ergebnisse|treffer|quellen
      keine|wenig|kaum|keinerlei konkreten|konkrete? daten|ergebnisse|treffer|quellen
      keine|wenig|kaum|keinerlei genauen|näheren? informationen|angaben|hinweise
      keine|wenig|kaum|keinerlei weiteren|öffentlichen? informationen|angaben|hinweise
      keine|wenig|kaum|keinerlei genauen|näheren? daten|ergebnisse|treffer|quellen
      keine|wenig|kaum|keinerlei weiteren|öffentlichen? daten|ergebnisse|treffer|quellen
      nichts gefunden; nicht finden
      konnte|konnten|kann ich|wir? nichts|nicht _ finden|bestätigen|verifizieren|ermitteln
      ist|sind mir nicht bekannt; mir nicht bekannt; kenne ich nicht; nicht bekannt, ob
      existiert|existieren vermutlich|möglicherweise|offenbar|anscheinend? nicht
      scheint|scheinen es? nicht zu existieren|geben; scheint|scheinen _ fiktiv|erfunden
      fiktiv~|frei erfunden`,
    compare: `
      im vergleich|gegensatz|unterschied zu|zum|zur; verglichen mit; gegenüber; anders als
      statt|anstatt|anstelle
      alternative|alternativen|konkurrent|konkurrenten|konkurrenz zu|zum|zur; konkurriert mit
      so gut|schnell|leicht|günstig|robust|stark wie; vergleichbar|kompatibel|ähnlich mit|wie|zu
      vs|versus; ebenso wie`,
    than: "als",
    beat: "schlägt|schlagen|übertrifft|übertreffen",
    contrast: `
      aber|jedoch|allerdings|doch|hingegen|dagegen
      während|obwohl|obgleich|trotz|wobei|dafür|andererseits; auf der anderen seite; wenn auch
      wenngleich`,
    condition: "wenn|falls|sofern|ob; wer; sobald sie",
    use: "für; als; bei; unter; was",
    negate: `
      nicht|nichts|keins|keine|kein|keine|keinen; keiner|keinem|nie|niemals|kaum|ohne|weder|wenig`,
    verb: `
      ist|sind|war|hat|haben|bietet|bieten|wird|werden
      kann|können|macht|machen|kommt|gilt|bleibt|liegt|liefert|kostet
      punktet|überzeugt|eignet|unterstützt|läuft|hält
      glänzt|fällt|schneidet|gefällt|wirkt|sollte|könnte`,
    pronoun: `
      er|es|sie|dieser|diese|dieses|das|sein|seine
      ihr|ihre|seiner|dessen|deren|damit|dazu|dafür|hier; die marke|firma|app|software
      der anbieter|hersteller; das gerät|modell|produkt|unternehmen
      außerdem|zudem|allerdings|jedoch|auch|aber`,
    offer: `
      wenn sie möchten|wollen|mir; wenn du möchtest|willst|mir; möchten sie; möchtest du; soll ich
      sagen sie mir; sag mir; gerne|gern kann|helfe; lassen sie mich wissen; lass mich wissen`,
    skip: `
      nicht nur; nicht schlecht; nicht zu unterschätzen; ohne zweifel|frage; am besten; guten tag
      gut zu wissen; alles gute; nicht teuer; mehr als; weniger als; so gut wie; als auch; sowohl
      kein problem; wenn möglich; sicher ist; in der regel; im besten; die besten; besten dank
      schwer zu schlagen; leicht zu finden; es gibt; gute frage; das beste ist; genau so
      gut informiert; schnell erklärt`,
  },
  heads: {
    none: `
      vor- und nachteile; vorteile und nachteile; top anbieter|modelle; warum das wichtig
      warum es|dies|das wichtig; die besten`,
    pick: `
      beste|bester|bestes; mein|meine|unser|unsere favorit|empfehlung|wahl|fazit|tipp
      empfehlung|testsieger|fazit|sieger; ideal|perfekt|geeignet|empfohlen für; preistipp|kauftipp
      am besten für`,
    pros: `
      vorteile|stärken|pluspunkte|pro|positiv|vorteil; was gefällt|überzeugt; dafür spricht
      warum _ gut|überzeugt|empfehlenswert; das spricht dafür`,
    cons: `
      nachteile|schwächen|minuspunkte|contra|kontra
      negativ|nachteil|einschränkungen|kritikpunkte|kritik; worauf sie achten; was stört
      dagegen spricht; zu beachten; weniger gut`,
  },
};

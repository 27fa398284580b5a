import type { CueTable } from "../cue-table.ts";

const things =
  "opción|elección|compra|alternativa|modelo|" +
  "apuesta|relación|compañero|candidato|equilibrio|solución";

/** How answers in Spanish speak. */
export const spanish: CueTable = {
  language: "es",
  version: 1,
  endings: ["", "o", "a", "os", "as", "e", "es"],
  namesHaveCapitals: true,
  negationStands: "before",
  negationReach: 3,
  cues: {
    pickObject: `
      elige|elija|elegir|elegiría|escoge|escoja|escogería|compra|compre|compraría
      opta|opte|optaría|optar por; apuesta|apueste|apostaría por
      me quedo|quedaría|inclino|inclinaría con|por; quédate|quédese con; ve|vaya|iría a? por
      decántate|decántese|decantaría por; me decanto por`,
    advise: `
      recomiendo|recomendamos|recomendaría|recomienda|recomiendan|recomendad~|recomendabl~
      aconsejo|aconsejaría|aconsejamos; sugiero|sugeriría; vale la pena; merece la pena`,
    pick: `
      mi|nuestra|nuestro elección|recomendación|favorito|favorita|preferido|preferida|apuesta
      primera opción|elección; apuesta|opción|elección segura|lógica|obvia|evidente|clara
      el|la ganador|ganadora; claro ganador; gana en|el|la; se lleva; número uno
      ideal|perfecto|perfecta|idóneo|idónea para|si
      el|la más adecuado|adecuada|recomendable|indicado; encaja perfectamente; se adapta mejor
      difícil de superar; sin duda el|la`,
    best: `
      mejor|mejores ${things}; mejor|mejores _ ${things}
      es|son|sigue|siendo|como|considerado|considerada el|la|los|las? mejor|mejores
      el|la mejor en|para|de|del|calidad|relación; mejor para|en|calidad-precio|general`,
    strong: `
      excelent~|perfecto|perfecta|perfectos|perfectas|excepcional|excepcionales
      magnífic~|fantástic~|sobresalient~|extraordinari~|impresionant~|increíbl~|estupend~
      ideal|ideales; muy buen|bueno|buena|buenos|buenas|fiable
      muy completo|completa|potente|sólido|sólida|popular; gran opción|elección|alternativa
      uno|una de? los|las mejores|más; entre los|las mejores|más
      destaca|destacan|brilla|sobresale; líder|líderes; imbatibl~; de primera; de gama alta`,
    praise: `
      buen|bueno|buena|buenos|buenas|mejor|mejores|sólid~|fiabl~|confiabl~
      robust~|resistent~|establ~|segur~|rápid~
      fluid~|silencios~|liger~|compact~|duradero|duradera
      asequibl~|económic~|barat~|accesibl~|competitivo|competitiva; buena relación; calidad-precio
      menos caro|ruidoso|pesado; cómod~|agradabl~|elegant~|versátil|versátiles|flexibl~
      complet~|potent~|eficaz|eficaces|eficient~|precis~|equilibrad~
      sencill~|fácil|fáciles|intuitiv~
      amplia|amplio|gran|enorme variedad|gama|catálogo|ecosistema|selección|comunidad
      larga|gran|buena|mayor autonomía|duración|batería|garantía; larga duración
      innovador|innovadora|modern~|avanzad~|inmersiv~
      reconocid~|apreciad~|elogiad~|popular|populares|valorad~|prestigios~; conocid~ por
      elogian|elogia|alaban
      ventaja|ventajas|fortaleza|fortalezas|virtud|virtudes|beneficio|beneficios
      punto|puntos fuerte|fuertes; convence|ofrece un|una excelente|buen|buena|gran; calidad
      gratis|gratuit~; sin esfuerzo|complicaciones|problemas`,
    suggest: `
      considera|considere|prueba|pruebe|mira
      puede|podría|debería ser|encajar|convenir|interesar|servir; te|le conviene|encaja|sirve
      tiene sentido; es para ti`,
    criticize: `
      caro|cara|caros|caras|costos~|elevad~; precio|coste|costo alto|elevado
      precios altos|elevados; más caro|cara|caros
      desventaja|desventajas|inconveniente|inconvenientes; defecto|defectos|debilidad|debilidades
      limitación|limitaciones|pega|pegas|crítica|críticas|carencia|carencias
      punto|puntos débil|débiles|negativo|negativos; débil|débiles|mal|malo|mala|malos|malas
      mediocr~|decepcionant~|deficient~|insuficient~|limitad~|frágil|inestabl~|mejorabl~
      lent~|pesad~|ruidos~|voluminos~|aparatos~|complej~|complicad~|anticuad~|obsolet~|confus~
      carece|carecen de; falta|faltan; le falta|faltan
      poca|corta|escasa autonomía|duración|batería|memoria; autonomía limitada|corta|escasa
      demasiado caro|cara|pesado|pesada|grande|pequeño|lento|lenta|complejo|básico|básica
      sufre|flojea|cojea; se quejan; se queda cort~; curva de aprendizaje
      menos intuitivo|intuitiva|completo|completa|cómodo|cómoda
      menos fiable|potente|preciso|versátil|adecuado|eficiente|refinado
      requiere|necesita una|un? suscripción|paciencia|accesorios|aprendizaje; no siempre|tan
      problemas de|con; costes ocultos; ten|tenga en cuenta`,
    caveat: "menos|solo|sólo|poco|poca|algo|limita|requiere|necesita|puede",
    discourage: `
      no|tampoco te|lo|la|se|le? recomiendo|recomendaría|recomendamos
      no|tampoco te|lo|la|se|le? recomienda|aconsejo|aconsejaría
      desaconsejo|desaconsejamos|desaconseja|desaconsejad~; evita|evite|evitar|evitaría
      no vale la pena; no merece la pena; aléjate|aléjese; no compres|compre|compraría
      mejor descartar|evitar; no es recomendable`,
    notFound: `
      no he|hemos|pude|pudimos|puedo|encuentro|encontré _ información|informaciones|datos
      no he|hemos|pude|pudimos|puedo|encuentro|encontré _ resultados|referencias|encontrado
      no encontramos|se|hay|existe|tengo|dispongo|conozco _ información|informaciones|datos
      no encontramos|se|hay|existe|tengo|dispongo|conozco _ resultados|referencias|encontrado
      no he|hemos|pude|pudimos|puedo|encuentro|encontré _ encontrar|nada|verificar
      no he|hemos|pude|pudimos|puedo|encuentro|encontré _ confirmar|constancia|rastro
      no encontramos|se|hay|existe|tengo|dispongo|conozco _ encontrar|nada|verificar
      no encontramos|se|hay|existe|tengo|dispongo|conozco _ confirmar|constancia|rastro
      no hay|existe|tengo información|datos|resultados; no encontré|encuentro; no conozco
      no me consta; no parece|parecen existir; podría|puede no existir; no existe|existen
      parece|parecen ficticio|ficticia|inventado|inventada|inexistente; ninguna información
      sin información`,
    compare: `
      a diferencia de|del; en comparación con|a; comparado|comparada con; frente a|al
      en lugar|vez de|del; respecto a|al
      alternativa|alternativas|competidor|competidores|rival a|al|de|del; iguala a|al
      compite|rivaliza con; similar|similares|comparable|superior|inferior a|al|con
      tan buen|bueno|rápido|ligero|bueno|potente como; compatible con; vs|versus`,
    than: "que",
    beat: "supera|superan|vence|gana a|al",
    contrast: `
      pero|sin embargo|no obstante que|en cambio|si bien|a pesar|pese a|por otro lado|eso sí
      pero|sin embargo|no aunque que|en cambio|si bien|a pesar|pese a|por otro lado|eso sí
      pero|sin embargo|no mientras que|en cambio|si bien|a pesar|pese a|por otro lado|eso sí`,
    condition: "si; cuando quieras|quiera|necesites; para quienes|quien",
    use: "para; como; en cuanto; entre; por",
    negate: "no|ni|nunca|jamás|sin|tampoco|ningún|ninguna|nada",
    verb: `
      es|son|era|está|están|tiene|tienen
      ofrece|ofrecen|permite|permiten|resulta|cuesta|sigue|puede
      pueden|hace|hacen|cuenta|incluye|destaca|brilla|dura
      funciona|carece|ha|han|va|vale|parece|queda`,
    pronoun: `
      él|ella|ellos|ellas|su|sus|este|esta|estos|estas|ese|esa|esto|eso
      la marca|empresa|aplicación|batería; el modelo|producto|servicio|dispositivo|fabricante
      además|también|pero|aunque|asimismo; sin embargo; no obstante; por otro lado; en cambio
      es|son|ofrece|tiene|cuenta|destaca`,
    offer: `
      si quieres|quiere|lo|me|te|deseas|prefieres _ puedo|dices|dime|deseas|cuentas|indicas
      si lo deseas|prefieres; quieres que; quiere que; te gustaría; dime|dígame
      puedo ayudarte|comparar|ayudarle; házmelo saber`,
    skip: `
      no solo|sólo; no está mal; sin duda; buena pregunta|idea|noticia; bueno saber; así que
      lo que; los que; la que; el que; las que; ya que; puesto que; es que; hay que; tiene que
      para que; más que|de; menos de; a menos; al menos; mientras que; aunque; tal vez
      por ejemplo; mal menor; no es caro|cara; no más; nada mal; los mejores; las mejores
      mejor dicho; por lo menos`,
  },
  heads: {
    none: `
      ventajas y desventajas|inconvenientes; pros y contras; por qué importa; los|las mejores
      mejores`,
    pick: `
      mejor; mi|nuestra|nuestro elección|recomendación|veredicto|favorito|opinión
      recomendación|veredicto|conclusión|ganador|ganadora; ideal|perfecto|recomendado para`,
    pros: `
      ventajas|pros|fortalezas|virtudes; puntos fuertes|positivos; lo mejor|bueno
      por qué _ elegir|recomendamos|gusta|destaca|elegirlo; ventaja|a favor`,
    cons: `
      desventajas|contras|inconvenientes|debilidades|limitaciones|defectos
      puntos débiles|negativos; lo peor|malo; a tener en cuenta; a mejorar
      desventaja|inconveniente; en contra`,
  },
};

import type { CueTable } from "../cue-table.ts";

const things =
  "choix|option|achat|compromis|modèle|" + "solution|alternative|valeur|candidat|rapport|référence";

/** How answers in French speak. */
export const french: CueTable = {
  language: "fr",
  version: 1,
  endings: ["", "e", "s", "es"],
  namesHaveCapitals: true,
  negationStands: "before",
  negationReach: 3,
  cues: {
    pickObject: `
      optez|opter|opterais|opterai|opte pour
      choisissez|choisir|choisirais|prenez|prendre|prendrais; tournez|tourner vous|se vers
      misez|miser|miserais sur; pencherais|pencherai pour; je me tournerais vers
      ma préférence va|irait à|au; privilégiez`,
    advise: `
      recommande|recommandons|recommanderais|recommandent|recommandé~
      conseille|conseillons|conseillerais|conseillé~; suggère|suggérerais; à privilégier
      vaut le coup|détour; mérite d'être`,
    pick: `
      mon|notre coup de cœur; mon|notre|ma choix|favori|recommandation|préférence|préféré
      premier choix; choix évident|idéal|sûr|logique|numéro; le|un bon choix évident|sûr
      valeur sûre; grand gagnant; le gagnant; sort du lot; arrive en tête; remporte la; l'emporte
      idéal~|parfait~ pour|si; convient parfaitement|idéalement; numéro un; incontournable~
      difficile à battre; le plus adapté|indiqué|recommandé`,
    best: `
      meilleur~ ${things}; meilleur~ _ ${things}; meilleur~ pour|globalement|dans|rapport
      est|sont|reste|comme|parmi le|la|les? meilleur~; le|la meilleur~ du|de|pour|en|sur
      le mieux pour`,
    strong: `
      excellent~|parfait~|remarquable~|exceptionnel|exceptionnelle|exceptionnels
      exceptionnelles|superbe~|génial~|fantastique~|impressionnant~|redoutable~; idéal~
      très bon|bonne|bons|bonnes|fiable|complet|performant|solide|populaire
      l'un|une|un des meilleurs|meilleures|plus; parmi les meilleurs|meilleures|plus
      excelle|excellent; se démarque|distingue; brille; leader; haut de gamme; imbattable~`,
    praise: `
      bon|bonne|bons|bonnes|meilleur~|mieux|solide~|fiable~|robuste~|durable~
      stable~|sûr|sûre|rapide~|fluide~|silencieux|silencieuse|léger|légère|légers|compact~
      abordable~|économique~|accessible~|avantageux
      avantageuse|compétitif|compétitive|compétitifs; pas cher; bon rapport; rapport qualité-prix
      moins cher|chère|bruyant|lourd
      confortable~|agréable~|élégant~|soigné~|raffiné~|polyvalent~|flexible~
      complet|complète|complets|puissant~|performant~|efficace~|précis~|équilibré~
      simple~|facile~|intuitif|intuitive|intuitifs|ergonomique~; facile~ à; prise en main
      riche~ en|fonctionnalités; large|vaste|grand choix|gamme|catalogue|écosystème|choix
      longue|grande|bonne|meilleure autonomie|durée|garantie; autonomie remarquable|record
      innovant~|moderne~|avancé~|immersif|immersive
      réputé~|reconnu~|apprécié~|salué~|plébiscité~|populaire~|loué~|félicité~; connu~ pour
      avantage|avantages|atout|atouts|force|forces; point|points fort|forts
      séduit|convainc un|une|excellente? bon|bonne|belle|excellent|excellente
      brille|offre|propose un|une|excellente? bon|bonne|belle|excellent|excellente; qualité
      gratuit~; sans effort|souci|problème; vaut son prix`,
    suggest: `
      envisagez|essayez|regardez|considérez
      peut|pourrait|devrait convenir|être|suffire|intéresser|plaire; conviendra|convient
      fera l'affaire; est fait pour; est à considérer`,
    criticize: `
      cher|chère|chers|chères|coûteux|coûteuse|onéreux|onéreuse; prix élevé|élevés; tarif élevé
      tarifs élevés; coût élevé; plus cher|chère
      inconvénient|inconvénients|défaut|défauts|faiblesse|faiblesses|limite|limites
      bémol|bémols|reproche|reproches|critique|critiques|lacune|lacunes
      point|points faible|faibles|négatif|négatifs
      faible~|mauvais|mauvaise|médiocre~|décevant~|moyen
      moyenne|insuffisant~|limité~|restreint~|perfectible~|instable~|fragile~
      lent~|lourd~|bruyant~|encombrant~|volumineux
      volumineuse|complexe~|compliqué~|daté~|vieillissant~|dépassé~; manque|manquent de|d
      manque|manquent; dépourvu~; courte|faible autonomie
      autonomie limitée|faible|décevante|courte; trop cher|lourd|grand|petit|lent|complexe|basique
      peine à; souffre de|d; moins bon|bonne|complet|performant|intuitif|confortable
      moins fiable|adapté|puissant|polyvalent|précis|efficace|évident
      nécessite|exige un|une|des? abonnement|apprentissage|patience|accessoires
      courbe d'apprentissage; pas toujours|idéal|parfait|donné|adapté|aussi|le; attention à|au
      problèmes|problème de|avec; se plaignent; rappel de produits; frais cachés`,
    caveat: "moins|plus petit; seulement|uniquement|seul|peu; reste; un peu; peut; nécessite",
    discourage: `
      déconseille|déconseillons|déconseillerais|déconseillé~|déconseillent; évitez|éviter|à éviter
      ne _ recommande|recommanderais|recommandons|recommandé|conseille|conseillerais pas
      ne vaut pas; passez votre chemin; à fuir; pas recommandé~|recommandable; mieux vaut éviter`,
    notFound: `
      aucune|aucun|peu|pas|pas d' information|informations|résultat|résultats|trace
      aucune|aucun|peu|pas|pas d' mention|donnée|données|d'informations|d'information
      n'ai _ trouvé; n'ai rien trouvé; pas trouvé; rien trouvé; introuvable~
      ne _ trouve|trouver pas|rien; ne connais pas; ne semble|semblent pas exister
      n'existe|existent pas|peut-être; semble|semblent fictif|fictive|inventé|inventée|inexistant
      pas connaissance; pas pu vérifier|trouver|confirmer`,
    compare: `
      contrairement à|au|aux; par rapport à|au|aux; comparé~ à|au|aux; face à|au|aux; plutôt que
      au lieu de|d; à la place de|d
      alternative|alternatives|concurrent|concurrents|rival à|au|aux|de|d|du
      concurrence|rivalise|égale avec?; similaire~|comparable~|supérieur~|inférieur~ à|au|aux
      compatible~ avec; vs|versus`,
    than: "que|qu",
    beat: "bat|surpasse|dépasse|devance",
    contrast: `
      mais que|quoique|malgré|alors que|tandis que|en revanche|par contre|même si
      cependant|toutefois que|quoique que|tandis que|en revanche|par contre|même si
      cependant|toutefois malgré|alors que|tandis que|en revanche|par contre|même si
      néanmoins|pourtant|bien que|quoique que|tandis que|en revanche|par contre|même si
      néanmoins|pourtant|bien malgré|alors que|tandis que|en revanche|par contre|même si`,
    condition: "si; s; lorsque|quand vous; pour ceux|celles qui",
    use: "pour; comme; en termes; côté; parmi",
    negate: "ne|n|pas|jamais|aucun|aucune|sans|ni|non|rien",
    verb: `
      est|sont|était|a|ont|offre|offrent|propose|proposent|reste
      restent|convient|dispose|permet|permettent|coûte|fait|font|peut|peuvent
      possède|séduit|brille|excelle|manque|souffre|dure|fonctionne|inclut|vaut|semble|va`,
    pronoun: `
      il|elle|ils|elles|son|sa|ses|ce|cet|cette|ces|celui|celle|c|leur|leurs
      la marque|société|batterie|solution; l'application|outil|appareil|entreprise
      le modèle|produit|logiciel|service|fabricant; de plus
      cependant|toutefois|aussi|mais|également|enfin; en revanche|plus|outre; seul`,
    offer: `
      si vous voulez|souhaitez|me|préférez|avez; si tu veux|souhaites|me; voulez-vous
      souhaitez-vous; veux-tu; dites-moi; dis-moi; n'hésitez pas
      je peux vous? aider|comparer|affiner|proposer`,
    skip: `
      non seulement; pas mal; pas seulement; sans doute|aucun; bon à savoir
      bonne question|nouvelle|idée; bien sûr; ainsi que; tels|telles|tel|telle que; alors que
      parce que; lorsque; afin que; dès que; est-ce que; ce que; plus que; moins que; tout ce que
      depuis que; pas cher|chère|chers; pas de problème; les meilleurs|meilleures; il y a
      peut-être; au moins; d'une part; à part; ce qui; c'est que; bien que; même si; dit que
      selon que; du moins; tant que; pour que; sans que; avant que; le fait que`,
  },
  heads: {
    none: `
      avantages et inconvénients; pourquoi c'est important; meilleurs; meilleures
      les meilleurs|meilleures`,
    pick: `
      meilleur|meilleure; mon|notre|ma choix|avis|recommandation|verdict|favori|coup
      recommandation|verdict|conclusion|gagnant; idéal|parfait|recommandé pour`,
    pros: `
      avantages|atouts|forces|qualités; points forts|positifs; les plus
      pourquoi _ choisir|recommandons|plaît|bon; on aime; ce qui plaît; avantage|atout`,
    cons: `
      inconvénients|faiblesses|limites|défauts|bémols; points faibles|négatifs; les moins
      à surveiller|savoir|noter; on aime moins; inconvénient|défaut; points d'attention|vigilance`,
  },
};

import type { CueTable } from "../cue-table.ts";

const things =
  "choice|pick|option|bet|buy|recommendation|" +
  "candidate|contender|fit|match|compromise|performer";
const found = "couldn't|could|can't|can|cannot|didn't|did|wasn't|was|unable|failed";

/** How answers in English speak. */
export const english: CueTable = {
  language: "en",
  version: 1,
  endings: ["", "s"],
  namesHaveCapitals: true,
  negationStands: "before",
  negationReach: 3,
  cues: {
    pickObject: `
      go|going with|for; opt|opting for
      i'd|i'll|i|we'd|we'll|we would? personally|probably? pick|choose|get
      i'd|i'll|i|we'd|we'll|we would? personally|probably? buy|take|select|favor
      i'd|i|we'd|we|you're would? personally|probably? lean|leaning toward|towards|to?
      i'd|we'd|i would? start|stick|side with
      i|we|i'd|we'd would? strongly|highly|generally? recommend|suggest
      i|we|i'd|we'd would? usually|personally|still? recommend|suggest
      recommend|recommends|recommending|suggests
      my|our|the|their|overall recommendation|choice|vote is|would be?; vote goes to; winner is
      guides|reviewers|experts often|usually|tend? to? pick|choose|prefer|favor
      editors|testers|users|reviews often|usually|tend? to? pick|choose|prefer|favor
      best bet|choice|option is|would be?`,
    advise: "highly|strongly|widely|often|usually? recommended",
    pick: `
      my|our|top|personal|clear|obvious pick|choice
      easy|safe|safest|default|natural|number|favorite pick|choice
      my|our|editors top|overall|personal|final? pick|choice|favorite
      editor|editor's|staff|reviewers' top|overall|personal|final? pick|choice|favorite
      my|our|top recommendation|favorite|winner
      the|a|your clear|obvious|overall|easy|safe|safest winner|choice|bet|pick|option
      safest|smartest|strongest|surest _ bet|choice|pick|option; wins overall|outright|here|hands
      comes|come out on top; takes the crown|cake|win; the one to get|buy|choose; the way to go
      go-to choice|pick|option; gets|get|has|earns|earn my|our vote|recommendation|nod
      budget|value|premium|overall|runner-up pick|winner|champion; right choice|pick|option|tool
      ideal|perfect for|if|when; ideal|perfect _ choice|pick|option|fit|match
      best|better|well|ideally suited for|to; makes the most sense; hard to beat
      can't go wrong with; cannot go wrong with; no-brainer`,
    best: `
      best overall; best all-around|all-round; best all-rounder|performer; best ${things}~
      best _ ${things}; best _ overall; best for|if|under|value|balance|mix|blend|way
      is|are|be|as|remains|remain|considered the best
      called|named|crowned|ranked|rated|likely|arguably the best
      its|their|as|the best _ under|overall|for; number one; top overall; the most recommended
      gold standard`,
    strong: `
      excellent|ideal|perfect|great|superb
      outstanding|fantastic|amazing|exceptional|terrific|stellar
      strong|compelling|top|obvious|unbeatable; unmatched|unrivaled|phenomenal|superior|incredible
      best-in-class; class-leading|industry-leading|market-leading|top-tier|top-notch|world-class
      first-rate; second to none; must-have
      among|one of? the|its|their best|top|strongest|leading|finest|most
      among|one of? the|its|their strong|great|good|popular; shines|shine|excels|excel
      stands|stand out; stands|stand above; works|work well|great|best|brilliantly|beautifully
      worth it|considering|a|auditioning|looking|every|checking|exploring
      better choice|option|pick|fit|bet; better suited`,
    praise: `
      good|solid|nice|decent|fine|impressive|remarkable|robust|reliable|dependable|better|best
      comfortable|premium|polished|refined|versatile; powerful|capable|accurate|precise|balanced
      affordable|inexpensive|budget-friendly|cost-effective|economical|competitive
      fast|quick|speedy|snappy|smooth|responsive|efficient|sharp|crisp|vivid|vibrant|punchy
      durable|rugged|sturdy|lightweight|compact|sleek|stylish|elegant|beautiful|slim|lighter
      well-rounded|well-built|well-made|well-reviewed|well-regarded|well-known|well-designed
      all-rounder|all-around; sweet spot; flagship|feature-rich|feature-packed|full-featured
      user-friendly|beginner-friendly|intuitive|easier; easy to; simple to; plug-and-play
      high-quality; high quality|performance|resolution|fidelity; cutting-edge; state-of-the-art
      innovative|advanced|immersive|stunning|gorgeous|breathtaking|seamless|seamlessly
      praise|praises|praised|praising|love|loves|loved|applaud|applauds|acclaimed|lauded
      popular|trusted|favorite|favourite|beloved; respected|renowned|reputable|celebrated|iconic
      known|noted|famous for; highlighted|highlights _ for; award-winning
      highly|well|top rated|regarded|reviewed|ranked; critically acclaimed
      improved|improves|improvement|improvements|upgraded|enhanced|enhances|boosts|elevates
      strength|strengths|advantage|advantages|benefit|benefits|perk|perks|upside
      reliability|versatility|durability|flexibility|convenience; ease of; attention to detail
      long|longer|longest|extended battery|lasting|range|support|software|runtime|flight|life
      long-lasting|long-range|long-term support|generous|ample|plenty of|wealth of; vast|extensive
      wide range|selection; huge|large|big library|ecosystem|community|selection
      faster|brighter|quieter|smoother|sharper|stronger|safer|finest|leading|leader; cheaper
      more affordable; lower price|cost; less expensive|noise|maintenance|hassle|fuss
      unique|standout|stand-out|notable|unparalleled|remarkably|impressively; dominates; leads the
      value for money; good|great|strong|excellent value; bang for; worth the; great deal
      balances|balancing; strikes|strike _ balance; good|great|nice|right balance; nails
      delivers|delivering; pack|packs|packed; secure|stable|consistent|flawless|effective
      effortless|waterproof|handy|helpful|quiet|silent; just work|works; future-proof
      timeless|authentic|realistic
      pleasant|enjoyable|fun|attractive|appealing|thoughtful|satisfying|satisfies
      more comfortable|compact|powerful|reliable|versatile|portable|accurate|advanced|stable
      more refined|efficient|balanced|flexible|features|natural|capable|durable|immersive
      no|without lag|compromises|compromise|subscription|fuss
      reduce|reduces|minimizes|eliminates distortion|noise|fatigue|effort|waste
      ranks|ranked|rated|scores|scored high|highly|well|top|first|among|number|best; supports both
      gives|lets|allows|helps you; you can easily; ensures|offers flexibility`,
    suggest: `
      consider|try|choose|pick|get|prefer; look at|into|for; check out
      might|may|could|will|would|should appeal|suit|serve|fit|satisfy|work|be; make|makes sense
      appeals|suits|fits|works; is|are|be your friend|answer; lean|leaning toward|towards`,
    criticize: `
      expensive|pricey|costly|overpriced|exorbitant|steep|pricier
      high|higher|premium|steep price|cost|costs; price tag; higher-priced
      drawback|drawbacks|downside|downsides|disadvantage|disadvantages|con|cons|shortcoming
      shortcomings|limitation|limitations|weakness|weaknesses|trade-off|trade-offs|tradeoff
      tradeoffs|caveat|caveats|compromises|complaint|complaints|concern|concerns
      criticism|criticisms|criticized|criticised|flaw|flaws|problematic; issue|issues with
      weak|weaker point|points; trades|trade|trading off; sacrifices|sacrificing; at the expense
      comes at a; lack|lacks|lacking|missing; absence of
      doesn't|don't|does have|include|offer|come
      limited|restricted|restrictive|constrained|finicky|fiddly|cumbersome|clunky
      weak|weaker|weakest|poor|poorer|bad|worse|worst|mediocre|average|subpar|disappointing
      heavy|heavier|bulky|bulkier|cramped|noisy|noisier|dim|dimmer|louder
      slow|slower|sluggish|laggy|lag|lags|lagging|buggy|bugs|glitchy|glitches|unreliable
      struggle|struggles|suffers|suffer|underperforms; falls|fall short|behind
      shorter|short battery|runtime|lifespan|flight|range|life
      drains|drain|degrades|overheats|overheat|throttles|throttling
      complex|complicated|confusing|steeper; learning curve; difficult|tricky|hard to
      uncomfortable|fragile|flimsy|plasticky|outdated|dated|aging; rough edges; hit or miss
      mixed reviews; inconsistent|imperfect; overkill
      too expensive|big|heavy|large|small|basic|much|complex|slow|loud|costly|bulky
      requires|require|needs a? subscription|paid|tinkering|patience|additional|extra|separate
      may|might|can|could|will|would not be|suit|match|have|fit|meet|appeal|justify|always
      may|might not; might|may lag|feel|struggle|lack|require|need
      less aggressive|powerful|impressive|comfortable|convenient|reliable|refined|polished
      less flexible|feature-rich|durable|bright|versatile|portable|intuitive|capable|robust
      less suited|suitable|ideal|effective|efficient
      less accurate|premium|compatible|battery|storage
      fewer features|apps|options|integrations|pro|ports|accessories|advanced|megapixels
      not|isn't|aren't|won't quite|always|as|cheap|without|enough; drains|drain _ fast|quickly
      won't|can't|cannot last|match|fit|support|work|keep|compete|replace|handle
      lower resolution|quality|brightness|end|contrast|performance|capacity|refresh
      exceeds|exceed|stretch|stretches|strain|strains _ budget|ceiling|limit|dollar
      exceeds|exceed; above|over|beyond your|the|most budget|budgets; only drawback|downside|works
      modest|underwhelming|lackluster|middling|so-so; bare-bones|barebones; be aware
      beware|careful; keep in mind; watch out; make sure; double-check
      recall|recalls|lawsuit|controversy|scandal|backlash|banned; privacy concerns; hidden fees`,
    caveat: `
      less|fewer|smaller|lower|higher|larger|bigger|only|may
      might|depends|check|requires|require|need|needs|pushing|premium; older|rely|few|more`,
    discourage: `
      avoid|avoiding|skip|skipping|ditch; steer clear; stay away; pass on; look elsewhere
      i'd|i|you|best|better would|should|to|off? skip|avoid; give _ a miss
      wouldn't|don't|can't|cannot|couldn't|never recommend|recommended|suggest
      wouldn't|don't|shouldn't|never buy|choose|get; not|isn't|aren't worth
      would|do|can|could|should not recommend|buy|choose|get; not recommended
      advise|advised|warn|warned|warns|recommend|recommends against
      not|isn't|aren't a good|great|suitable choice|option|pick|fit|buy|idea
      worst choice|option|pick|buy; rule|ruled it? out; not a fan of`,
    notFound: `
      ${found} not? be? able? to? find; ${found} not? be? able? to? verify|locate|identify|confirm
      don't|do|didn't|did not? have|find|see any|much? information|data|details
      don't|do|didn't|did not? have|find|see enough? information|data|details
      don't|do|didn't|did not? have|find|see specific|reliable? information|data|details
      no|little|any reliable|public|credible? information|record|records of|about|on|for|that
      no|little|any reliable|public|credible? evidence|mention|results of|about|on|for|that
      no|little|any verifiable? information|record|records of|about|on|for|that
      no|little|any specific|detailed? information|record|records of|about|on|for|that
      no|little|any verifiable? evidence|mention|results of|about|on|for|that
      no|little|any specific|detailed? evidence|mention|results of|about|on|for|that
      not|isn't|i'm familiar|aware with|of; unfamiliar with; never heard of
      doesn't|does|don't|may|might not? seem|appear? to? exist
      appears|seems to be? fictional|fictitious|made-up|nonexistent
      fictional|fictitious|nonexistent; no results|matches`,
    compare: `
      than|unlike|versus|vs; compared|relative|comparable|similar|inferior|superior to|with
      alternative|alternatives|competitor|competitors|rival to|of; instead of; rather than
      as opposed to; in contrast to; switching|coming|moving from; over
      compete|competes|competing with|against; rival|rivals|rivaling
      match|matches|eclipse|eclipses|challenge|challenges|undercut|undercuts|replace|replaces
      as good|well|fast|bright|powerful|polished|refined|comfortable|reliable|capable as
      compatible|integrates|syncs|pairs|integration|compatibility with`,
    beat: "beat|beats|outperform|outperforms|surpass|surpasses|outclasses|trumps",
    contrast: `
      but|though|although|however|yet|while|whereas|albeit|except|despite; even though|if
      that said; on the other hand|downside; having said`,
    condition: `
      if|unless|whether|assuming|provided; in case; when|once|since you; for those|anyone`,
    use: "for; as a; in terms of; when it comes to",
    negate: `
      not|no|none|nothing|never|neither|nor
      without|hardly|barely|isn't|aren't|wasn't|don't|doesn't
      didn't|won't|wouldn't|can't|cannot|couldn't`,
    verb: `
      is|are|was|were|has|have|had|offers|offer|provides|provide|gives|give|does
      comes|come|makes|make|remains|remain|stands|stand|leads|lead|wins|win|gets|can|could
      will|would|may|might|should|includes|include|features|uses|use|supports|support
      tends|tend|focuses|focus|starts|lasts|feels|looks|runs|needs|lacks`,
    pronoun: `
      it|its|they|their|this|these|that|here's; here are; the brand|company|model|device|product
      the app|tool|platform|service|phone|laptop|printer|headset|drone|watch
      however|but|also|additionally|plus|overall|still; on the downside`,
    offer: `
      if you like|want|prefer|tell|share|let i|me|us|your|which|what
      if you like|want|tell|share|let _ i|me|us can|know; if you'd like; would you like|want
      do you want|have; let me know; tell me; want me to
      i can|could narrow|filter|help|suggest|compare|give|show|tailor|break|walk`,
    skip: `
      not only|just|merely|least; not too; no doubt|matter|wonder|longer|single|one; not bad
      no best|perfect; no one|single best; best practices|of|known|depends; best buy; bestbuy
      what's best|good; at its? best; better|best for you; better than nothing
      good question|idea|reason|time|news; great question; question is; as well; to go for
      good to know; hard drive|disk; more than; less than; depends on; right now; no more
      fine print; over time|ear; over the; see if|whether; check if|that|whether|current; so that
      which|what|whichever is|one|are best|right|better; the best for you
      best fits|fit|suits your; higher-end; not necessarily; needs of|are|and; your needs; such as
      at least; good for you; issue is; long term|run; look for; what to look; average of`,
  },
  heads: {
    none: `
      why it|this|these|they matter|matters; why we tested; choose from; how to choose|pick
      what is|are; top|best picks|choices|options|recommendations`,
    pick: `
      best; my|our|top|editor's pick|choice|recommendation|verdict
      staff|final|budget|premium|overall pick|choice|recommendation|verdict
      winner|recommendation|verdict|recommended; ideal|great|good|perfect for; runner-up
      bottom line; pick|choose if; use case`,
    pros: `
      pros|strengths|advantages|benefits|upsides|positives; strong points; key strengths
      why _ strong|compelling|great|good|consider|recommend|recommended|buy|choose|love|like
      why _ stands|shines|picked|chosen|excels|wins|works|best
      what we|i|users|reviewers like|love|liked|loved
      what makes _ great|good|special|stand|compelling; what's good|great; the good
      what it does well; where it shines|excels; best features
      strength|advantage|benefit|upside|standout|standouts`,
    cons: `
      cons|weaknesses|drawbacks|disadvantages; downsides|limitations|caveats|trade-offs|tradeoffs
      things|what to watch|consider|know|note out? for?; watch out|outs; watch-outs
      concerns|shortcomings|negatives; potential issues
      what we|i|users|reviewers don't|dislike|didn't|disliked
      weakness|drawback|disadvantage|downside|limitation|caveat|trade-off|tradeoff; the bad
      what could be better; room for improvement; where it falls short; not|less ideal for
      avoid|skip if`,
  },
};

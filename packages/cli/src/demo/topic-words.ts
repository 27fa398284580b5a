import type { Topic } from "./market.ts";

/** What assistants say about one topic. */
export interface TopicWords {
  /** What is bought, in the plural. */
  readonly goods: string;
  /** What to look for: a heading and the sentence below it. */
  readonly advice: readonly (readonly [heading: string, sentence: string])[];
  /** What a company's goods are praised for; each follows the company's name. */
  readonly praise: readonly string[];
}

/** The vocabulary of each topic. */
export const topicWords: Readonly<Record<Topic, TopicWords>> = {
  Tents: {
    goods: "tents",
    advice: [
      ["Packed weight", "below 1.2 kg a person is comfortable to carry, below 800 g costs space."],
      ["Wind", "crossing poles and six guy points matter more than the thickness of the fly."],
      ["Pitching", "a fly that goes up first keeps the inner dry when it rains."],
      ["Condensation", "two vents, one low and one high, beat one large window."],
      ["Floor", "3,000 mm of water column is enough on grass; beside a tarn take a groundsheet."],
      ["Room", "sit up in it before you buy: the height at your shoulders is what you notice."],
    ],
    praise: [
      "is the one testers leave standing in a storm, and its poles can be replaced singly",
      "makes the lightest freestanding model of this group at about 1.1 kg",
      "gives the most living space for the money, with two doors and two porches",
      "pitches in under four minutes, also with cold hands",
    ],
  },
  "Sleeping bags": {
    goods: "sleeping bags",
    advice: [
      ["Comfort limit", "go by the comfort figure of the norm, not by the extreme one."],
      ["Filling", "down packs smaller, synthetic filling stays warm when it is damp."],
      ["Length", "a bag that is 10 cm too long has to be heated all night."],
      ["Mat", "below freezing the mat decides: look for an R value of 4 or more."],
      ["Zip", "a two-way zip turns a winter bag into one for spring."],
      ["Origin", "ask for traced down; most good makers publish their certificate."],
    ],
    praise: [
      "uses 850 fill down that keeps its loft for years",
      "cuts its bags wider at the knees, which side sleepers notice on the first night",
      "has the most honest temperature ratings in independent tests",
      "sells a synthetic bag that dries in an afternoon and costs half as much",
    ],
  },
  Backpacks: {
    goods: "backpacks",
    advice: [
      ["Back length", "measure from the neck's bone to the hips; litres come second."],
      ["Hip belt", "above ten kilograms two thirds of the load belongs on the hips."],
      ["Access", "a front zip saves unpacking in a hut's narrow corridor."],
      ["Fabric", "210 denier outlasts 100 denier by years and adds only 150 g."],
      ["Rain", "a liner inside keeps things drier than a cover outside."],
      ["Weight", "below 1.5 kg for 45 litres is good, below 1 kg has no frame."],
    ],
    praise: [
      "carries eighteen kilograms as if they were twelve, thanks to a belt that pivots",
      "offers three back lengths of each model and a fitting guide that works",
      "sews its packs from recycled fabric and replaces broken buckles free of charge",
      "has the neatest pockets of all packs we compared",
    ],
  },
  "Rain jackets": {
    goods: "rain jackets",
    advice: [
      ["Layers", "three layers last longer under a pack; two and a half are lighter."],
      ["Breathability", "pit zips do more than any figure on the label."],
      ["Hood", "turn your head: a good hood turns with it and leaves your sight free."],
      ["Finish", "finishes without PFAS need washing more often, and work when they get it."],
      ["Cut", "leave room for a fleece, but not so much that the wind gets in."],
      ["Repair", "ask whether the maker re-tapes seams; it doubles a jacket's life."],
    ],
    praise: [
      "stays dry for a whole day on the hills in the tests we found",
      "was first with a membrane free of PFAS that does not wet out at the shoulders",
      "packs to the size of an apple and still has a proper hood",
      "re-proofs and re-tapes its jackets for a small fee",
    ],
  },
  "Hiking boots": {
    goods: "hiking boots",
    advice: [
      ["Fit", "try them in the evening with your own socks; a thumb's width in front is right."],
      ["Sole", "a stitched sole can be replaced, a moulded one cannot."],
      ["Ankle", "height protects from stones; strength comes from the heel's cup."],
      ["Membrane", "good in wet grass, slow to dry once water has come in from above."],
      ["Weight", "100 g on the foot feel like half a kilogram on the back."],
      ["Breaking in", "two weeks of everyday walks are enough for most leather boots."],
    ],
    praise: [
      "builds on a wide last and sells half sizes up to 48",
      "can be resoled twice, which makes its price fair over ten years",
      "needs no breaking in and grips well on wet rock",
      "has the best edge hold of the lighter boots",
    ],
  },
  "Camp cooking": {
    goods: "camp stoves and pots",
    advice: [
      ["Fuel", "gas is simple down to 0 °C; below that take petrol or an inverted cartridge."],
      ["Wind", "a burner that sits low in the pot needs a third less fuel."],
      ["Simmering", "a wide flame cooks rice, a jet boils water."],
      ["Pots", "hard anodised aluminium spreads heat better than titanium."],
      ["Stability", "on uneven ground a stove with three long legs saves your dinner."],
      ["Packing", "an osier basket or a cloth keeps mugs from rattling at the camp site."],
    ],
    praise: [
      "boils half a litre in under three minutes in a breeze",
      "sells a pot with a heat exchanger that doubles as a bowl",
      "has a valve fine enough to keep porridge from burning",
      "makes spare parts for stoves that are twenty years old",
    ],
  },
  Headlamps: {
    goods: "headlamps",
    advice: [
      ["Brightness", "300 lumens are plenty on paths; constant light matters more than a peak."],
      ["Run time", "read the curve, not the figure: many lamps fade within an hour."],
      ["Charging", "a port with a cover, and a cell that you can change, last longest."],
      ["Red light", "it spares your neighbours in the hut and your own night sight."],
      ["Lock", "a switch that locks keeps the lamp from burning in the pack."],
      ["Cold", "a battery behind the head or under the jacket keeps its charge."],
    ],
    praise: [
      "keeps its brightness constant for six hours",
      "weighs 70 g and sits still when you run",
      "takes its own cell or three ordinary ones, which is handy far from a socket",
      "has the simplest controls: one button, three levels, one red light",
    ],
  },
  "Repair and care": {
    goods: "repairable outdoor goods",
    advice: [
      ["Wash", "30 °C, liquid detergent, no softener, then half an hour in the dryer."],
      ["Warranty", "lifetime often means the product's life; read what it leaves out."],
      ["Patches", "clean with alcohol, round the corners, press for a night."],
      ["Spare parts", "poles, buckles and zips sold singly are the best sign of all."],
      ["Second hand", "makers' own outlets check seams and give a year's guarantee."],
      ["Storage", "dry and loose: nothing ages faster than down in its stuff sack."],
    ],
    praise: [
      "runs its own repair shop and sends things back within two weeks",
      "publishes repair guides and sells every zip and buckle singly",
      "takes back used gear and sells it with a year's guarantee",
      "reports its emissions by product, which few others do",
    ],
  },
};

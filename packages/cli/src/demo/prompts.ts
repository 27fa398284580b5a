import { createHash } from "node:crypto";
import { brand, type Company, companies, type Topic } from "./market.ts";

/** A question that a buyer asks, and what follows from its wording. */
export interface DemoPrompt {
  /** A uuid of version 5's form that depends on the text alone. */
  readonly id: string;
  readonly text: string;
  readonly topic: Topic;
  /** True when the text names the brand. */
  readonly branded: boolean;
  /** The tracked companies that the text names. */
  readonly names: readonly Company[];
}

const questions: Readonly<Record<Topic, readonly string[]>> = {
  Tents: [
    "What is the best two-person tent for backpacking?",
    "Which ultralight tent holds up in strong wind?",
    "What is a good tent for a family of four?",
    "Which tent is quickest to pitch alone in the rain?",
    "Are trekking pole tents worth it?",
    "What tent should I buy for bikepacking?",
    "Which four-season tents are worth their price?",
    "Is a Tarnfell tent worth the money?",
  ],
  "Sleeping bags": [
    "What is the warmest sleeping bag below one kilogram?",
    "Down or synthetic: which sleeping bag should I buy?",
    "What is the best sleeping bag for side sleepers?",
    "Which sleeping bag is right for autumn in the mountains?",
    "What sleeping bag do thru-hikers use?",
    "Which brands make good quilts for backpacking?",
    "What is a good first sleeping bag for a child?",
    "How warm are Tarnfell sleeping bags?",
  ],
  Backpacks: [
    "What is the best 45 litre backpack for hut tours?",
    "Which backpack carries heavy loads most comfortably?",
    "What is a good day pack for hiking and commuting?",
    "Which backpacks fit a short torso?",
    "What is the best ultralight frameless backpack?",
    "Which waterproof backpack is worth buying?",
    "What backpack should I take for a week of trekking?",
    "Tarnfell or Ridgeloom: whose backpacks last longer?",
  ],
  "Rain jackets": [
    "What is the most breathable rain jacket for hiking?",
    "Which rain jacket is best below 200?",
    "What is a good rain jacket without PFAS?",
    "Which waterproof jacket packs smallest?",
    "What rain jacket do mountain guides recommend?",
    "Which rain jackets are best for cycling and walking?",
    "Two-layer or three-layer shell: what do I need?",
    "Does a Tarnfell rain jacket keep you dry all day?",
  ],
  "Hiking boots": [
    "What are the best hiking boots for wide feet?",
    "Which hiking boots need no breaking in?",
    "Trail runners or boots for a long-distance path?",
    "What are the best boots for wet ground?",
    "Which hiking boots can be resoled?",
    "What winter hiking boots are warm and light?",
    "How do Tarnfell hiking boots fit?",
  ],
  "Camp cooking": [
    "What is the best camp stove for windy places?",
    "Which gas stove simmers well?",
    "What cookware should I take on a trek for two?",
    "Which wood stove is worth carrying?",
    "What is the lightest way to make coffee outdoors?",
    "Which stove works at high altitude?",
    "Is the Tarnfell stove set good for beginners?",
  ],
  Headlamps: [
    "What is the best rechargeable headlamp for hiking?",
    "Which headlamp is best for trail running at night?",
    "How many lumens does a headlamp need?",
    "Which headlamps last longest on one charge?",
    "What headlamp works in deep cold?",
    "Which small lamp should be in every day pack?",
    "How long does the Tarnfell headlamp run?",
  ],
  "Repair and care": [
    "Which outdoor brands repair their gear?",
    "How do I wash a waterproof jacket?",
    "Which outdoor brands have the best warranty?",
    "Where can I buy used outdoor gear with a guarantee?",
    "How do I patch a tent fly in the field?",
    "Which outdoor companies are most sustainable?",
    "Does Tarnfell repair old jackets?",
  ],
};

/** Gives a text an id that never changes: its SHA-1 in the form of a version 5 uuid. */
function idOfText(text: string): string {
  const hex = createHash("sha1").update(`sightline demo: ${text}`).digest("hex");
  const groups = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `5${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ];
  return groups.join("-");
}

function promptOf(topic: Topic, text: string): DemoPrompt {
  const names = companies.filter((company) => text.includes(company.name));
  return { id: idOfText(text), text, topic, branded: names.includes(brand), names };
}

/** The sixty prompts, by topic. */
export const prompts: readonly DemoPrompt[] = (Object.keys(questions) as Topic[]).flatMap((topic) =>
  questions[topic].map((text) => promptOf(topic, text)),
);

// A third set of questions over a demo notebook, in the form of ask-questions.mjs: written when the rules were settled, by
// reading the sources alone. Nothing was changed for any of them.

const TIDES = [
  ["fact", "What is the moon's effect proportional to as it gets further away?", ["the cube of the distance"]],
  ["fact", "Who asked Doodson for the prediction?", ["William Farquharson"]],
  ["fact", "What did Cook call the watch he took along?", ["his faithful guide"]],
  ["date", "When did the American machine stop being used?", ["until 1965"]],
  ["date", "When was the Polynesian canoe launched?", ["launched it in 1975"]],
  ["number", "How heavy was Harrison's first clock?", ["34 kilograms"]],
  ["number", "How many metres is a nautical mile?", ["exactly 1,852 metres"]],
  ["number", "How strong is the sun's tide compared with the moon's?", ["46 per cent"]],
  ["where", "Where did the Scilly fleet come from?", ["returning from the Mediterranean"]],
  ["where", "In which country is the bay with the largest tides?", ["on the Canadian coast"]],
  ["why", "Why did the landings happen on the sixth and not on the fifth?", ["Bad weather ruled out"]],
  ["why", "Why did they keep the two machines in separate places?", ["so that a single bomb would not destroy both"]],
  ["how", "How can birds show where an island is?", ["return to their island at dusk"]],
  ["how", "How do you use a kamal?", ["The cord is held between the teeth"]],
  ["list", "What kinds of stick charts exist?", ["the mattang", "the meddo", "the rebbelib"]],
  [
    "compare",
    "What is the difference between spring tides and neap tides?",
    ["the two effects add up", "partly cancel"],
  ],
  ["none", "How deep is the Bay of Fundy?", null],
  ["none", "Who was the captain of Hōkūleʻa in 1985?", null],
  ["none", "What did Harrison's son do after the voyage to Jamaica?", null],
  ["none", "How are tides used to generate electricity?", null],
  ["none", "Which crew member fell ill on Cook's second voyage?", null],
  ["none", "When was GPS introduced?", null],
  ["none", "How much did a chronometer cost in 1800?", null],
  ["none", "What is the salinity of the Mediterranean?", null],
];

export const FRESH = TIDES.map(([kind, text, gold]) => ({ notebook: "tides", kind, text, gold }));

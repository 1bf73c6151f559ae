// A second set of questions over the two demo notebooks, in the form of ask-questions.mjs. Written after the rules; two of its
// questions have led to a change since, so it is no longer wholly unseen.

const TIDES = [
  ["fact", "Which ancient writer gave a detailed account of how the tides follow the moon?", ["Pliny the Elder"]],
  ["fact", "What is harmonic analysis?", ["as a sum of simple oscillations"]],
  ["fact", "Who treated the tide as a wave on a rotating globe?", ["Pierre-Simon Laplace"]],
  ["fact", "What is running down the latitude?", ["turns along the parallel"]],
  ["fact", "What is K1?", ["A copy of H4 by Larcum Kendall"]],
  ["date", "In what year did Hadley show his octant to the Royal Society?", ["In 1731"]],
  ["date", "When did Harrison complete H4?", ["completed in 1759"]],
  ["number", "How big was the prize that Parliament offered in 1714?", ["20,000 pounds"]],
  ["number", "How many ships did Shovell lose?", ["Four ships were lost"]],
  ["number", "How long did it take to draw the tides of a year with Thomson's machine?", ["some four hours"]],
  ["where", "Where did Mau Piailug come from?", ["the island of Satawal"]],
  ["where", "Where was the conference about the prime meridian held?", ["in Washington"]],
  ["why", "Why does high water last so long at Southampton?", ["because the shallow channel distorts the wave"]],
  ["why", "Why did the Portuguese begin to use the sun?", ["lost sight of the Pole Star near the equator"]],
  ["how", "How did a helmsman who could not write record the course?", ["a wooden disc with holes and pegs"]],
  ["how", "How was the depth of the water found?", ["Depth was found with the lead"]],
  [
    "compare",
    "What is the difference between an octant and a sextant?",
    ["an eighth of a circle", "an arc of a sixth of a circle"],
  ],
  ["list", "Which places did the Polynesians settle?", ["Samoa and Tonga", "Hawaii, Rapa Nui and New Zealand"]],
  [
    "overview",
    "What do these documents cover?",
    ["On most coasts the sea rises and falls twice", "Latitude, the distance"],
  ],
  ["none", "Who invented the magnetic compass?", null],
  ["none", "How much did Hōkūleʻa cost?", null],
  ["none", "What causes a tsunami?", null],
  ["none", "When did Mau Piailug die?", null],
];

const MACHINES = [
  ["fact", "What did Augustine do before he closed the book?", ["marked the place with his finger"]],
  ["fact", "To whom is Ramelli's book dedicated?", ["King Henri III"]],
  ["fact", "Which prize did La Fontaine receive?", ["the Nobel Peace Prize"]],
  ["fact", "Who numbered the verses of the Bible?", ["Robert Estienne"]],
  ["date", "When was OCLC founded?", ["was founded in 1967"]],
  ["date", "When did Otlet die?", ["Otlet died in 1944"]],
  ["number", "How many plates are in Ramelli's book?", ["one hundred and ninety-five engraved plates"]],
  ["number", "How many questions did the institute receive each year?", ["over fifteen hundred such requests a year"]],
  ["where", "Where was Ramelli wounded?", ["the siege of La Rochelle"]],
  ["why", "Why were the Dominicans in need of a system of reference?", ["To give places"]],
  ["why", "Why did people distrust KWIC?", ["It needed no human judgement at all"]],
  ["how", "How are items joined in the memex?", ["the user names a trail, taps a key"]],
  [
    "compare",
    "Compare Dewey's numbers with the Universal Decimal Classification.",
    ["Dewey's numbers put a book in one place", "added signs by which numbers can be combined"],
  ],
  [
    "list",
    "Which improvements were made to the codex in the Middle Ages?",
    ["Chapter divisions, running heads and numbered leaves"],
  ],
  ["overview", "Summarise this notebook briefly.", ["For most of antiquity a book was a roll", "A concordance lists"]],
  ["none", "How many languages did Otlet speak?", null],
  ["none", "Who paid for the Rochester replicas?", null],
  ["none", "What is the Dewey number of mathematics?", null],
  ["none", "When was the mouse patented?", null],
];

const asked =
  (notebook) =>
  ([kind, text, gold]) => ({ notebook, kind, text, gold });
export const HELD_OUT = [...TIDES.map(asked("tides")), ...MACHINES.map(asked("machines"))];

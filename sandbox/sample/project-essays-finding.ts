import { essay } from "./project-essay.js";

export const essaysOnFinding = [
  essay({
    slug: "index-and-concordance",
    title: "Index and Concordance",
    author: { family: "Adeyemi", given: "Patience" },
    issued: [2024, 11],
    pages: "32-38",
    tags: ["index", "search"],
    text: `There are two lists at the back of learned books, and they are often confused. A concordance says where a word stands. An index says where a thing is discussed. The first can be made by a machine without understanding anything. The second cannot be made without deciding what the book is about.

## The list of words

Suppose a chapter on fog which never uses the word *danger*, though it speaks of nothing else: ships aground, horns misheard, men rowing towards the wrong shore. A concordance of this chapter has no entry under *danger*. An index has, and the indexer who put it there has added something to the book that the author had left out.

Suppose, on the other side, that the word *grace* occurs forty times in a history, as the title of a duke, as a quality of movement, as a theological term and as the name of a cow. The concordance lists forty places with perfect justice. The index has three entries and, if the indexer is in good spirits, the cow.

The strength of the word list is that it is complete and takes no view. One can trust it to the letter. Its weakness is that it answers only those who already know the word.

## The list of subjects

The strength of the index is that it lends its words to the reader. Someone who wants to read about getting lost, and does not know that the author says *reckoning*, will find under *lost, getting* a reference that takes him there. A good index is full of such doors, at which the author never knocked. *See* sends you from a word that is not used to the one that is. *See also* sends you to a neighbour. Between them they make a small map of how the author's language lies in relation to everybody else's.

Its weakness is the indexer. She has opinions; she was tired on the day she did chapter nine; she thought of sailors and not of nurses. What she did not think of is not there, and the reader who looks for it in vain will conclude that the book is silent. An absence from an index looks exactly like an absence from the book.

## What an entry costs

Professional indexers reckon with something like six to ten pages an hour for serious prose. They read the text through at least twice. During the first reading they make far too many entries, in the second they combine them, and at the end they cut, because the publisher has allowed eight pages and not twelve. Most of the art lies in the cutting. An entry deserves its place if somebody, some day, will be glad of it and could not have guessed.

There is a useful rule about numbers. If a heading is followed by more than six page references with nothing to tell them apart, it must be divided. *Whales, 3, 9, 14, 22, 31, 40, 57, 88* is not an entry but a confession. *Whales: as folios, 22; as food, 40; revenge of, 57* can be used.

## Two instruments, one desk

Since computers took over the word list, it has become instant and universal, and one hears that the index is no longer needed. I think the opposite has happened. When every word of every book can be found in a moment, we are flooded with places at which a word stands. What we lack is somebody to tell us at which of them it matters.

Lately there are programs that attempt it. They represent a passage by its meaning, more or less, and can find the chapter on fog when they are asked about danger. That is the oldest ambition of the indexer, carried out by arithmetic. It makes mistakes of a new kind: it always returns something. A concordance that finds nothing says so, and an honest index does too. Whoever builds the new instrument should teach it to say *not here*.

Until then, keep both. Ask the words first if you know the word. Ask the meaning if you do not. And if the two agree, turn to the page.`,
  }),
  essay({
    slug: "citation-as-courtesy",
    title: "Citation as Courtesy",
    author: { family: "Voss", given: "Harriet" },
    issued: [2025, 1],
    pages: "39-44",
    tags: ["citation", "truth"],
    text: `Students are taught citation as a branch of law. One must cite, or one will be accused; there are forms to be observed, commas to be placed, and penalties. It is a pity. Citation is a branch of manners, and like other manners it is easier to practise when one sees what it is kind to.

## To whom it is kind

It is kind, first, to the person quoted. Somebody found this out, or said it well. They cannot be in the room. To name them is the least one can do, and often it is the only payment that they will ever get.

It is kind, secondly, to the reader. A citation says: you need not take my word for it. Here is the way back. It treats the reader as a person who might want to go and look, and who might find something there that I have missed. A writer who gives no references is asking to be believed; a writer who gives them is asking to be checked. Only the second is a compliment.

And it is kind, thirdly, to oneself in five years' time. Nobody is so lost as an author who wants to use his own old sentence again and cannot remember where the figure came from.

## What the way back needs

If one thinks of a citation as directions given to a traveller, its rules explain themselves. Directions must lead to the door. *Darwin says* is a country. *Darwin, Origin of Species* is a town. A chapter is a street, and a page, in a named edition, is the house. The degree of exactness ought to match the claim: for the drift of a whole book the town is enough, but words within quotation marks need the house.

Directions must be true on the day. Page numbers change from one edition to the next, so the edition has to be stated. Chapter and section numbers are sturdier, and for books that exist in many editions they should be given as well. For the Bible, for Plato, for Shakespeare there are systems of reference that hold in every copy. They are among the great quiet achievements of scholarship, and most other books can only envy them. A web page may be gone next year; the date of the visit and the title help a later reader to find out what it was, even if the address is dead.

Directions must say who has walked the road. If I found the sentence in Holm, who found it in Darwin, then I should write *Darwin, quoted in Holm*, however much nicer it would look without Holm. About half of all false quotations would disappear if this one rule were kept.

## When the page is not known

It happens that one cannot give the page. The copy was electronic and had none, or it was a lecture, or the note was made in a hurry. The honest course is to leave it out, and to say what one does know: the section, the paragraph, the heading under which it stands. An invented page number is worse than none. It sends the traveller to a house where nobody lives, and she will think that it is she who has made the mistake.

This deserves to be said in an age of helpful machines. A program that has been asked for a reference will be inclined to supply one, complete to the last comma, whether or not there is such a book. A citation is exact or it is nothing. A blank can be filled in later by somebody with the book in her hands; a falsehood has first to be discovered.

## The style of it

As to commas, any consistent way will do. The various styles differ as much as table settings do, and serve the same meal. Choose the one your hosts use, let a program arrange the forks, and keep your own care for the question which no program can answer for you: did I see it there myself?`,
  }),
  essay({
    slug: "quotations-on-the-move",
    title: "Quotations on the Move",
    author: { family: "Voss", given: "Harriet" },
    issued: [2025, 6],
    pages: "45-51",
    tags: ["quotation", "citation", "truth"],
    text: `A sentence that leaves its book begins to change at once. It does not mean to. It is like a stone that has left the cliff: each contact takes something off, and what arrives on the beach after a hundred years is smooth, handsome, and no longer fits the place it came from.

## Four ways of changing

Observe enough of them and one sees that the changes are of a few kinds.

**They get shorter.** Hedges are the first to go: *perhaps*, *for the most part*, *in such cases*. Next goes the subordinate clause. Emerson wrote that a *foolish* consistency is the hobgoblin of little minds. Without its adjective the sentence says something much sillier, and it is quoted without its adjective every day.

**They get a rhythm.** Memory prefers threes, and it prefers to end on a strong word. Churchill offered the House of Commons, in May 1940, blood, toil, tears and sweat. What people remember is blood, sweat and tears.

**They change hands.** A saying is attracted by the best-known name to which it could plausibly belong. Remarks about wit go to Wilde, about war to Churchill, about the universe to Einstein. Those who really made them are forgotten, and the sentence is believed the more.

**They lose their speaker.** *Brevity is the soul of wit* is said by Polonius, who cannot be brief, in the course of a long speech, and the audience is meant to laugh. *Neither a borrower nor a lender be* is Polonius too. Put on a wall with the name of Shakespeare under it, the joke becomes a precept.

## Stitching

There is a fifth way, which is commoner among the learned. Two true sentences from different pages are joined by three dots, or by nothing, and make a third that the author never thought of. Each half can be found in the book. The whole cannot. I call this stitching, and I mind it more than plain invention, because it passes the usual test: somebody looks up the first half, finds it, and is satisfied.

Three dots are a promise. They say that what was left out would make no difference. One ought to use them as one would sign a cheque.

## How to check

The method is always the same, and it is dull. Look for the words in the work that is named. If you do not find them, look for the rarest word alone, since that is the one least likely to have been altered. If there is a translation in between, find out which. If the work is not named, be suspicious in proportion to the beauty of the sentence.

There are five possible results, and one should be ready to report any of them. It is there, exactly. It is there but for spelling and punctuation, which do not matter unless they do. Something like it is there. It is there, but in another book than was said. It is not there at all.

Note that the last of these is never quite certain. One can prove that a sentence is in a book; that it is in no book, nobody can prove. The careful form is *not found in*, followed by the list of places where one has looked. It is less satisfying than a verdict, and it can be improved upon by the next person.

## Does it matter?

People ask me this, in general after I have spoiled a toast. The sentence is good, they say; who cares who said it? I agree that the sentence is good. Then let it stand on its own feet. What happens when we add a great name is that we borrow authority for it, and I only ask, as any lender would, whether the name was consulted.

There is something else. When one goes back to the place, the original is nearly always stranger than the copy. It has a *perhaps* in it, or it was said in anger, or it is followed by a sentence that takes it half back. The smooth stone is pleasant to hold. But the cliff is where one can see how the thing was made.`,
  }),
  essay({
    slug: "shelves-in-order",
    title: "Shelves in Order",
    author: { family: "Tan", given: "Miriam" },
    issued: [2024, 8],
    pages: "52-58",
    tags: ["libraries", "index", "history"],
    text: `A library with one book in it needs no order. With a hundred, the owner remembers. Somewhere between five hundred and a thousand, memory gives way, and a decision has to be taken that sounds like carpentry and is really philosophy: what shall stand next to what?

## By size and by arrival

The oldest answers are practical. Shelve by size, and you waste no space. Number the books as they come in, and no book ever has to be moved. Large closed stacks are still arranged in this way, and it works very well, on one condition: nobody may look for a book by going to the shelf. The order tells the staff where to put a hand. It tells a reader nothing. Everything then depends on the catalogue, and the catalogue has to supply every kind of order that the shelves do not have.

## By subject

The other answer is to let the shelves themselves mean something. In the library of Alexandria, in the third century before Christ, the poet Callimachus drew up a list in a hundred and twenty rolls of those who had distinguished themselves in every branch of learning, divided into classes: rhetoric, law, epic, tragedy, philosophy, history, medicine, and at the end a class for miscellaneous things. Every classifier since has ended with such a class.

In 1876 Melvil Dewey published a scheme that used decimal fractions. Knowledge has ten classes, every class ten divisions, every division ten sections, and after the decimal point one may go on as long as one likes. The brilliance was not in the classes, which are very much of their time and place; religion received a hundred numbers, of which all but a few were given to Christianity. It was in the point. A new subject could always be put between two old ones, without renumbering the rest, and the same number meant the same thing in every library that used it. For the first time a reader could walk into a strange building and know roughly where to turn.

## The trouble with neighbours

Any order on a shelf has a fault which no ingenuity can remove. A shelf is a line. Each book on it has exactly two neighbours, and subjects have many more. A history of coal mining in Belgium wants to stand with Belgium, with mining, with the nineteenth century and with coughs. One of them is chosen, and the others lose it.

The card catalogue was the remedy. One book may have only one place, but it may have five cards. Later there were classifications with combining signs, in which a number could say several things at once, and after them computers, which have no shelves at all. A file in a machine can have fifty tags and stand next to anything.

So the problem appears to be solved. Yet something happened on the way. With fifty tags nobody has to decide, and a collection in which nothing has been decided is remarkably hard to find one's way around in. The narrowness of the shelf forced somebody to ask what the book was *mainly* about. It was a good question.

## For the home

A private library is under no obligation to anyone. I know people who arrange their books by colour and can find every one. I know a widower who keeps his in the order in which his wife read them. A friend shelves authors beside those they would have liked to talk to, which means that he has to move a whole case when he changes his mind about Hume.

My own rule is to keep together what I shall want on the same evening. It is no system, and it has to be redone every year. But to redo it is the best way I know of finding out what I own. One afternoon each January I take down everything, and each year there are some that I hold for a long time before I know where they belong. These are the ones I read next.`,
  }),
  essay({
    slug: "notes-that-answer",
    title: "Notes That Answer",
    author: { family: "Bergfeld", given: "Jonas" },
    issued: [2026, 4],
    pages: "59-65",
    tags: ["notes", "index", "writing"],
    text: `There are people who have taken notes all their lives and have nothing to show for it but the notes. George Eliot drew the portrait of one. Mr Casaubon in *Middlemarch* has filled rows of notebooks for a Key to all Mythologies, and dies before he has begun to write it. His notes are not bad. They are numerous, accurate and pigeon-holed. They simply never said anything to each other.

## Storage and conversation

It is natural to think of notes as storage. One puts something in so as to be able to take it out again. For telephone numbers this is the right idea. For thoughts it is not, since one seldom wants a thought back in the form in which it was put away. One wants to know what has become of it.

The better picture is a correspondence. A note is addressed to someone, namely to another note, or to a question that one carries about. It agrees, or objects, or gives an instance. Notes written in this way accumulate interest, because every new one changes those to which it replies. Notes written for storage only accumulate.

## Luhmann's box

The best-known example of the twentieth century is the slip box of the sociologist Niklas Luhmann, who published some seventy books and several hundred articles and claimed that the box was a partner in the work. It contained about ninety thousand slips. Each had a fixed number. A new slip that continued the thought of number 21 became 21a, and one that branched off from it 21a1, so that the numbers grew like twigs and any train of thought could be extended at any point without disturbing its neighbours. On the slips were references to the numbers of other slips, near and far. There was also a register of keywords, but it was short: one or two numbers for each word, as entrances. From there one was to walk.

Two features of it deserve to be copied, with or without paper. A slip has an address that never changes, so that one can refer to it without fear. And the order of the slips is not an order of subjects. Luhmann warned against fixing a system of topics at the start, because it would commit one for decades to what one happened to think at the beginning.

## A working method

What follows is the least that seems to me to be enough.

1. While reading, mark what surprises you, with the page. Do no more than that; a reader should be reading.
2. Within a few days go through the marks and throw away half. For each of those that remain write one note, in whole sentences, in your own words, as though to somebody who has not read the book. Put the exact quotation under it only if the wording matters, and then copy it to the letter.
3. State where it comes from, so exactly that a stranger could find the page.
4. Ask which of your older notes it answers, and write that down: *against the note on spacing; an example of the one about neighbours.* If it answers none, ask which question it opens.

The fourth step takes longer than the other three together. It is the only one that makes a difference.

## The test

You can tell in a minute whether your notes are of the useful sort. Take any one of them, follow a reference, then another, and another. If after four steps you have come to something that you had forgotten, and which bears on what you are thinking about today, the box is alive. If you have come to a list of keywords, it is a cupboard.

And there is a test for the keeper. How much have you written *from* it this year? A letter counts, and so does a talk, or a piece of advice. Casaubon's mistake was not that he had too many notes. It was that he waited to answer them until they were complete.`,
  }),
  essay({
    slug: "words-and-meanings",
    title: "Words and Meanings",
    author: { family: "Brandvold", given: "Oke" },
    issued: [2026, 6],
    pages: "66-72",
    tags: ["search", "software", "index"],
    text: `A search box is a small rectangle of misunderstanding. The person types three words and has a whole situation in mind. The machine has the three words. Everything that has been done in the art of searching for sixty years is an attempt to narrow the distance.

## Counting words

The classical method is to count. Prepare a table that says for every word in which passages it occurs. When a question comes, look up its words, and give every passage a score. Three considerations go into the score, and each of them is common sense.

A passage in which the word occurs several times is more likely to be about it, although the tenth occurrence adds much less than the second. A rare word says more than a common one: in the question *the lichen on the rock*, nearly all of the information is in *lichen*. And a long passage contains more words of every kind by mere chance, so its length must be allowed for. Put these three together with two adjustable constants and you have the formula known as BM25, from the 1990s, which has outlived a great many supposed successors.

Its virtues are those of a good clerk. It is fast, it can be explained, and it never invents. If you ask for a name or a number or an exact phrase, nothing is better. Its vice is that it is literal. Ask it for *moss* and it walks straight past the lichen.

## Measuring meanings

The newer method is to measure. A neural network, trained on a great quantity of text, turns each passage into a list of some hundreds of numbers, in such a manner that passages which could stand in for one another come out close together. The list is called an embedding; one may think of it as a position in a space with very many dimensions. The question is given a position too, and the nearest passages are returned.

Now moss finds lichen. A question in plain words finds an answer in technical ones, and in favourable cases a question in English finds a passage in French. What the method is bad at is the very thing at which the clerk excels. Names, dates and part numbers are smeared into their surroundings, so that 1588 and 1589 lie side by side. And there is always a nearest passage. It may be near in the way in which the nearest village is near when one is lost in the desert.

## Asking both

As the two go wrong in different places, it is worth asking both of them and combining the answers. The scores cannot be added, since they are in different units: one is a sum of weighted counts and the other the cosine of an angle. But ranks can be. Give each passage the reciprocal of its rank in the first list plus the reciprocal of its rank in the second, with a constant added to the ranks to soften the top. A passage that is fifth in both will then come out above one that is first in the one list and missing from the other. The recipe is called reciprocal rank fusion, was published in 2009, and needs no training and hardly any tuning. It is difficult to beat.

## What neither does

Neither method reads. The clerk matches and the surveyor measures, and what comes back is a list of places at which it may be worth one's while to look. If a program goes on to compose an answer from them, one is entitled to ask three things of it: that each statement should say on which passage it rests, that the words within quotation marks should be in the passage, and that it should stop when the passages do not contain the answer.

The third is the hardest, as it is for people. I once asked a librarian something that her catalogue could not answer. She looked for some time, closed the drawer and said: *We do not have that. I can tell you who might.* I have been trying to write that program ever since.`,
  }),
];

import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";

interface PromptRow {
  name: string;
  title: string;
  description: string;
  /** On offer only where all of these tools are. */
  needs: readonly string[];
  arguments: readonly { name: string; description: string; required: boolean }[];
  text(args: Record<string, string>): string;
}

const PROMPTS: readonly PromptRow[] = [
  {
    name: "daily_review",
    title: "Go through today's review",
    description: "Today's Readwise review, one highlight at a time, with a question on each.",
    needs: ["get_daily_review"],
    arguments: [],
    text: () =>
      "Call get_daily_review. Show me the highlights one at a time, each with its title and author. After each one ask me a short question that makes me recall or apply it, wait for my answer, and then go on. At the end sum up in three sentences what connected them.",
  },
  {
    name: "research_question",
    title: "Research a question with citations",
    description: "Answer a question from the person's own reading, every claim cited and every quote checked.",
    needs: ["query_hybrid", "list_projects"],
    arguments: [
      { name: "question", description: "What you want to know.", required: true },
      { name: "project", description: "The project to search; all that fit where left out.", required: false },
    ],
    text: ({ question, project }) =>
      `Research this question in my own reading: ${question}\n\n${project ? `Search the project ${project} with query_hybrid` : "Call list_projects, choose what fits, and search it with query_hybrid"}, with several wordings of the question. Read around the best passages with read_passage. Write an answer in which every claim carries a citation (citekey and page, or section where there is no page). Quote only wording that verify_quote calls exact or normalised. Say plainly what my sources do not answer. End with the bibliography from cite.`,
  },
  {
    name: "draft_paragraph",
    title: "Draft a paragraph and check it",
    description:
      "A paragraph on a question, from the person's own reading, shown only when every quotation in it is right.",
    needs: ["query_hybrid", "check_draft"],
    arguments: [
      { name: "question", description: "What the paragraph is about.", required: true },
      { name: "project", description: "The project to draw on; everything where left out.", required: false },
    ],
    text: ({ question, project }) => {
      const within = project ? ` with project ${project}` : "";
      return `Draft one paragraph on this question from my own reading: ${question}\n\n1. Find passages${project ? ` in the project ${project} with query_hybrid` : ": call list_projects, then query_hybrid on those that fit"}; read around the best ones with read_passage.\n2. Write the paragraph in Markdown. Put every borrowed wording in quotation marks, word for word, with the pandoc citation that came with the passage.\n3. Call check_draft${within} on it. Do what \`next\` says for every error and warning: take the true wording, correct the page or the work, drop what is absent. Look at the passages given for claims, and take out numbers, names and dates that they do not have.\n4. Call check_draft again until no error and no warning is left, at most four times.\n5. Show me the paragraph, its bibliography from cite, and, plainly, what my sources did not answer or what could not be repaired.`;
    },
  },
  {
    name: "triage_inbox",
    title: "Triage the reading inbox",
    description: "Go through new Reader documents and decide: later, shortlist, archive.",
    needs: ["list_documents"],
    arguments: [{ name: "limit", description: "How many documents to go through (default 20).", required: false }],
    text: ({ limit }) =>
      `Call list_documents with location "new" and limit ${limit ?? "20"}. Group what you find by topic, one line per document: title, author, reading time, and why it may matter to me given what I highlight. Propose later, shortlist or archive for each and wait for my word. Then carry it out with update_document and report what changed, with any warnings.`,
  },
];

type Names = { has(name: string): boolean };

export function listPrompts(tools: Names) {
  return available(tools).map(({ name, title, description, arguments: args }) => ({
    name,
    title,
    description,
    arguments: args.map((arg) => ({ ...arg })),
  }));
}

export function getPrompt(name: string, args: Record<string, string>, tools: Names) {
  const prompt = available(tools).find((candidate) => candidate.name === name);
  if (!prompt) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown prompt '${name}'.`);
  const missing = prompt.arguments.filter((arg) => arg.required && !args[arg.name]);
  if (missing.length)
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `Prompt '${name}' needs ${missing.map((arg) => arg.name).join(", ")}.`,
    );
  return {
    description: prompt.description,
    messages: [{ role: "user" as const, content: { type: "text" as const, text: prompt.text(args) } }],
  };
}

function available(tools: Names): PromptRow[] {
  return PROMPTS.filter((prompt) => prompt.needs.every((tool) => tools.has(tool)));
}

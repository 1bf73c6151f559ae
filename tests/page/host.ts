import { AppBridge, PostMessageTransport } from "@modelcontextprotocol/ext-apps/app-bridge";

export interface Shown {
  html: string;
  theme: "light" | "dark";
  input: Record<string, unknown>;
  result: Record<string, unknown>;
  /** What the server's tools answer when the view calls one through us. */
  tools: Record<string, Record<string, unknown>>;
}
export interface Seen {
  heights: number[];
  calls: { name: string; arguments?: Record<string, unknown> }[];
  links: string[];
}

/** A program that shows MCP Apps, by the extension's own host library: a sealed frame and a bridge to it. */
async function showApp({ html, theme, input, result, tools }: Shown): Promise<void> {
  const seen: Seen = { heights: [], calls: [], links: [] };
  Object.assign(globalThis, { seen });
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts");
  frame.style.cssText = "width:100%;height:600px;border:0";
  document.body.append(frame);
  const bridge = new AppBridge(
    null,
    { name: "test-host", version: "1" },
    { serverTools: {}, openLinks: {} },
    { hostContext: { theme } },
  );
  bridge.onsizechange = ({ height }) => {
    seen.heights.push(height ?? 0);
  };
  bridge.oncalltool = async ({ name, arguments: args }) => {
    seen.calls.push({ name, ...(args ? { arguments: args } : {}) });
    return { content: [], structuredContent: tools[name] ?? {} };
  };
  bridge.onopenlink = async ({ url }) => {
    seen.links.push(url);
    return {};
  };
  bridge.oninitialized = () => {
    void bridge.sendToolInput({ arguments: input });
    void bridge.sendToolResult({
      content: [{ type: "text", text: JSON.stringify(result) }],
      structuredContent: result,
    });
  };
  await bridge.connect(new PostMessageTransport(frame.contentWindow!, frame.contentWindow!));
  frame.srcdoc = html;
}

Object.assign(globalThis, { showApp });

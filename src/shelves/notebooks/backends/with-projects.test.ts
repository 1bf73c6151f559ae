import { expect, it } from "vitest";
import { openLocalNotebooks } from "../../../../tests/support/local-notebooks.js";
import { memoryChunkStore } from "../../../../tests/support/memory-chunk-store.js";
import { NO_MODEL } from "../../chunks/embedding/embedder.js";
import { withProjects } from "./with-projects.js";

it("a project of this machine is asked here, a notebook where it lives", async () => {
  const store = memoryChunkStore();
  const [here, elsewhere] = await Promise.all([openLocalNotebooks({ store }), openLocalNotebooks()]);
  const far = await elsewhere.notebook("The lamp of Saint Ann is wound by hand every four hours.");
  await store.createProject({
    id: "thesis",
    kind: "project",
    name: "thesis",
    description: null,
    model: NO_MODEL,
    hybrid_enabled: true,
  });
  const near = await here.notebook("A notebook of this machine that nobody can see from there.");
  const backend = withProjects(elsewhere.backend, { here: here.backend, store });
  const signal = AbortSignal.timeout(20_000);

  expect(await backend.get("thesis", signal)).toMatchObject({ name: "thesis", source_count: 0 });
  await expect(backend.ask("thesis", "Who winds the lamp?", signal)).rejects.toMatchObject({ code: "NO_SOURCES" });
  expect((await backend.ask(far, "How is the lamp wound?", signal)).answer).toContain("by hand");
  expect((await backend.list(signal)).map(({ id }) => id)).toEqual([far]);
  await expect(backend.get(near, signal)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await backend.close();
  await Promise.all([here.close(), elsewhere.close()]);
});

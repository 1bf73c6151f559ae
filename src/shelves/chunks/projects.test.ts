import { describe, expect, it } from "vitest";
import { fakeEmbedder, fakeEmbedders } from "../../../tests/support/fake-embedders.js";
import { memoryChunkStore } from "../../../tests/support/memory-chunk-store.js";
import { createProjects } from "./projects.js";

const declared = [{ project: "declared", hybrid_enabled: false, description: "From a file" }];
const withModel = (store = memoryChunkStore()) => ({
  store,
  projects: createProjects({ store, embedders: fakeEmbedders(fakeEmbedder()), declared }),
});

describe("a declared project has its settings", () => {
  const asDeclared = { id: "declared", hybrid_enabled: false, description: "From a file" };

  it("when it is opened, ensured or made first", async () => {
    expect(await withModel().projects.open("declared")).toMatchObject(asDeclared);
    expect(await withModel().projects.ensure("declared")).toMatchObject(asDeclared);
    const { created, project } = await withModel().projects.create({ project: "declared", hybrid_enabled: false });
    expect({ created, project }).toMatchObject({ created: false, project: asDeclared });
  });

  it("when another project comes first", async () => {
    const { projects, store } = withModel();
    await projects.ensure("other");
    expect(await store.project("declared")).toMatchObject(asDeclared);
  });

  it("when another process makes it at the same moment", async () => {
    const { projects, store } = withModel();
    const createProject = store.createProject.bind(store);
    store.createProject = async (project) => {
      await createProject(project);
      return createProject(project); // refused: the name is taken by now
    };
    expect(await projects.open("declared")).toMatchObject(asDeclared);
  });

  it("once a failure of the store is over", async () => {
    const { projects, store } = withModel();
    const createProject = store.createProject.bind(store);
    store.createProject = () => Promise.reject(new Error("the disk is full"));
    await expect(projects.open("declared")).rejects.toThrow("the disk is full");
    store.createProject = createProject;
    expect(await projects.open("declared")).toMatchObject(asDeclared);
  });
});

describe("opening a project", () => {
  it("names those there are when it is not one of them", async () => {
    const { projects } = withModel();
    await expect(projects.open("nope")).rejects.toMatchObject({
      code: "INVALID_PROJECT",
      message: "Project 'nope' not found. Available projects: ['declared']",
      details: { project_id: "nope", available_projects: ["declared"] },
    });
  });

  it("takes a notebook only for callers that want one", async () => {
    const { projects, store } = withModel();
    const notebook = { id: "nb", kind: "notebook" as const, name: "Notes", description: null, hybrid_enabled: true };
    await store.createProject({ ...notebook, model: fakeEmbedder().identity });
    await expect(projects.open("nb")).rejects.toMatchObject({ code: "INVALID_PROJECT" });
    expect(await projects.open("nb", { notebooks: true })).toMatchObject({ id: "nb" });
  });
});

describe("a project's name", () => {
  it("changes by making it again, while its id and settings stay", async () => {
    const { projects, store } = withModel();
    await projects.create({ project: "thesis", hybrid_enabled: false });
    const renamed = await projects.create({ project: "thesis", name: " Reading and forgetting " });
    expect(renamed).toMatchObject({ created: false, project: { id: "thesis", name: "Reading and forgetting" } });
    expect(await store.project("thesis")).toMatchObject({ name: "Reading and forgetting", hybrid_enabled: false });
    expect((await projects.create({ project: "thesis" })).project.name).toBe("Reading and forgetting");
    expect((await projects.create({ project: "thesis", name: "" })).project.name).toBe("thesis");
  });

  it("is no other project's name or id", async () => {
    const { projects } = withModel();
    await projects.create({ project: "one", name: "First" });
    for (const name of ["First", "one"])
      await expect(projects.create({ project: "two", name })).rejects.toMatchObject({
        code: "INVALID_INPUT",
        message: expect.stringContaining(`called “${name}” already`),
      });
  });

  it("stands beside the id where a project is not found", async () => {
    const { projects } = withModel();
    await projects.create({ project: "thesis", name: "My thesis" });
    await expect(projects.open("My thesis")).rejects.toMatchObject({
      message: "Project 'My thesis' not found. Available projects: ['declared', 'thesis' (“My thesis”)]",
    });
  });
});

it("a new project is not bound to a model that is not there", async () => {
  const projects = createProjects({ store: memoryChunkStore(), embedders: fakeEmbedders() });
  await expect(projects.ensure("new")).rejects.toMatchObject({
    code: "INDEX_UNAVAILABLE",
    message: expect.stringContaining("No model is installed."),
  });
});

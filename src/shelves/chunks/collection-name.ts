/** Two projects whose names differ only in `/` and `-` would share a collection: stores refuse the second. */
export function collectionName(project: string): string {
  return `proj-${project.replaceAll("/", "-")}`;
}

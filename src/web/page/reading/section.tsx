import type { ComponentChildren } from "preact";

interface SectionProps {
  /** The id of its heading. */
  id: string;
  title: ComponentChildren;
  children: ComponentChildren;
}

/** A part of a view below a heading. */
export function Section({ id, title, children }: SectionProps) {
  return (
    <section aria-labelledby={id}>
      <h2 id={id} class="ornament">
        {title}
      </h2>
      {children}
    </section>
  );
}

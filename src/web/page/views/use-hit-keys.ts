import { useLayoutEffect } from "preact/hooks";
import { onShortcut } from "../shortcuts.js";

const links = () => [...document.querySelectorAll<HTMLElement>("a.hit-open")];

/** Arrow keys and j/k move through the hits of a search. */
export function useHitKeys(): void {
  useLayoutEffect(
    () => onShortcut({ j: () => step(1), k: () => step(-1), ArrowDown: () => step(1), ArrowUp: () => step(-1) }),
    [],
  );
}

function step(by: number): void {
  const all = links();
  const at = all.indexOf(document.activeElement as HTMLElement);
  all[Math.max(0, Math.min(all.length - 1, at + by))]?.focus();
}

/** Moves from the search box to the first hit. */
export function firstHit(event: KeyboardEvent): void {
  if (event.key !== "ArrowDown") return;
  event.preventDefault();
  links()[0]?.focus();
}

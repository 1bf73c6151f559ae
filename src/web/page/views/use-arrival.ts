import { useEffect } from "preact/hooks";

/** Scrolls to the element named in the address once it exists. */
export function useArrival(elementId: string | undefined, ready: boolean): void {
  useEffect(() => {
    if (!elementId || !ready) return;
    const element = document.getElementById(elementId);
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    element?.scrollIntoView({ block: "center", behavior: still ? "auto" : "smooth" });
    element?.focus({ preventScroll: true });
  }, [elementId, ready]);
}

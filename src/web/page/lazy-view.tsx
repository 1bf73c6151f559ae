import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Problem, Waiting } from "./reading/states.js";

type View<P> = (props: P) => ComponentChildren;

/** A view that is rarely opened: its code is loaded on the first visit. */
export function lazyView<P extends object>(load: () => Promise<View<P>>): View<P> {
  let loaded: View<P> | undefined;
  return function LazyView(props: P) {
    const [Shown, setShown] = useState<View<P> | undefined>(() => loaded);
    const [failed, setFailed] = useState(false);
    const fetchIt = () => {
      setFailed(false);
      load().then(
        (view) => {
          loaded = view;
          setShown(() => view);
        },
        () => setFailed(true),
      );
    };
    useEffect(() => {
      if (!Shown) fetchIt();
    }, []);
    if (failed)
      return <Problem error={{ code: "unreachable", message: "This view could not be loaded." }} retry={fetchIt} />;
    return Shown ? <Shown {...props} /> : <Waiting />;
  };
}

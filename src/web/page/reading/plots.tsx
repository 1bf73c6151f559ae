const WIDTH = 220;
const HEIGHT = 44;

/** A line over the last samples; the text beside it gives its meaning. */
export function Sparkline({ values: given, label }: { values: readonly number[]; label: string }) {
  // NaN: not measured yet.
  const values = given.map((value) => (Number.isFinite(value) ? value : 0));
  const top = Math.max(...values, 1e-9);
  const step = WIDTH / Math.max(1, values.length - 1);
  const points = values.map(
    (value, index) => `${(index * step).toFixed(1)},${(HEIGHT - 3 - (value / top) * (HEIGHT - 6)).toFixed(1)}`,
  );
  return (
    <svg class="plot" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label} preserveAspectRatio="none">
      {points.length > 1 && <polyline points={points.join(" ")} />}
      <line x1="0" x2={WIDTH} y1={HEIGHT - 1} y2={HEIGHT - 1} class="axis" />
    </svg>
  );
}

/** The count per bucket. */
export function Bars({ counts, label }: { counts: readonly number[]; label: string }) {
  const top = Math.max(...counts, 1);
  const step = WIDTH / counts.length;
  return (
    <svg class="plot bars" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label} preserveAspectRatio="none">
      {counts.map((count, index) => {
        const tall = count === 0 ? 0 : Math.max(2, (count / top) * (HEIGHT - 4));
        return <rect key={index} x={index * step + 1} y={HEIGHT - 1 - tall} width={step - 2} height={tall} />;
      })}
      <line x1="0" x2={WIDTH} y1={HEIGHT - 1} y2={HEIGHT - 1} class="axis" />
    </svg>
  );
}

/** How much of a budget is used. */
export function Gauge({ used, limit, label }: { used: number; limit: number; label: string }) {
  const share = Math.min(1, used / limit);
  return (
    <svg
      class={share > 0.8 ? "plot gauge high" : "plot gauge"}
      viewBox={`0 0 ${WIDTH} 10`}
      role="img"
      aria-label={label}
      preserveAspectRatio="none"
    >
      <rect x="0" y="1" width={WIDTH} height="8" class="track" />
      <rect x="0" y="1" width={Math.max(share * WIDTH, used > 0 ? 3 : 0)} height="8" class="fill" />
    </svg>
  );
}

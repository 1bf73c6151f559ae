/** Line icons on a grid of 20, in the colour of the text. */
const PATHS = {
  search: "M9 3.5a5.5 5.5 0 1 1 0 11a5.5 5.5 0 0 1 0-11M13.2 13.2l3.8 3.8",
  queue: "M3 4.5h14M3 8.5h14M3 12.5h9M3 16.5h6M15 12.5v5m-2.3-2.3L15 17.5l2.3-2.3",
  library: "M4 3.5h3v13H4zM8.5 3.5h3v13h-3zM13 4.6l2.7-.8l2.8 12l-2.7.7z",
  notebook:
    "M5.5 3h9a1.5 1.5 0 0 1 1.5 1.5v11a1.5 1.5 0 0 1-1.5 1.5h-9zM5.5 3v14M3.5 6.5h2M3.5 10h2M3.5 13.5h2M9 7h4M9 10h4",
  project: "M2.5 5.5a1 1 0 0 1 1-1h4l1.7 2h7.3a1 1 0 0 1 1 1v8a1 1 0 0 1-1 1h-13a1 1 0 0 1-1-1z",
  draft: "M5 2.5h7l4 4v11H5zM12 2.5v4h4M7.6 12.2l1.8 1.8l3.4-3.8",
  quote: "M3.5 5.5h5v5c0 2.5-1 4-3.5 4.5M11.5 5.5h5v5c0 2.5-1 4-3.5 4.5",
  tools: "M3 6h8M15 6h2M3 14h2M9 14h8M13 4v4M7 12v4",
  status: "M2.5 11h3.2L8 5l4 10l2.2-4h3.3",
  more: "M4.5 10h.01M10 10h.01M15.5 10h.01",
  add: "M10 4v12M4 10h12",
  help: "M7.4 7.4a2.7 2.7 0 1 1 3.9 2.5c-.9.5-1.3 1-1.3 2M10 14.9h.01",
  close: "M5 5l10 10M15 5L5 15",
  system: "M10 3.5a6.5 6.5 0 1 0 0 13a6.5 6.5 0 0 0 0-13M10 3.5v13M10 6.5h5M10 10h6.2M10 13.5h5",
  light:
    "M10 6.5a3.5 3.5 0 1 0 0 7a3.5 3.5 0 0 0 0-7M10 2v1.8M10 16.2V18M2 10h1.8M16.2 10H18M4.3 4.3l1.3 1.3M14.4 14.4l1.3 1.3M4.3 15.7l1.3-1.3M14.4 5.6l1.3-1.3",
  dark: "M16.5 11.6A7 7 0 1 1 8.4 3.5a5.5 5.5 0 0 0 8.1 8.1z",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" class="icon">
      <path d={PATHS[name]} />
    </svg>
  );
}

export function Wheel() {
  const spokes = [0, 45, 90, 135, 180, 225, 270, 315];
  return (
    <svg viewBox="0 0 32 32" width="26" height="26" aria-hidden="true" class="wheel">
      <circle cx="16" cy="16" r="11" />
      <circle cx="16" cy="16" r="2.4" />
      {spokes.map((turn) => (
        <g key={turn} transform={`rotate(${turn} 16 16)`}>
          <path d="M16 13.6V5" />
          <path d="M12.8 3.6q1.6-.7 3.2.6q1.6-1.3 3.2-.6" />
        </g>
      ))}
    </svg>
  );
}

// The signs of the power discs: our own marks, printed on a pale plate in the middle of a disc.

import { s } from "./dom.js";

const PLATE = 23;

/** The shapes, to be used as `#sign-a` and so on. */
export function signs() {
  return [
    sign("a", s("path", { d: "M-16 -9H13V-4C8 -3 6 -1 5 3L9 8V12H-9V8L-5 3C-6 -2 -11 -3 -16 -9Z", class: "sign-fill" })),
    sign(
      "b",
      s("circle", { cx: -2, cy: 4, r: 9.5, class: "sign-fill" }),
      s("path", { d: "M3 -3L6 -6Q9 -11 13 -7", class: "sign-line" }),
      s("path", { d: "M13 -13v3M18 -8h-3M17 -12l-2 2", class: "sign-thin" }),
      s("path", { d: "M-7 3a5 5 0 0 1 4 -5", class: "sign-shine" }),
    ),
    sign(
      "w",
      s("path", { d: "M-14 -11h11v6h-11zM0 -11h14v6h-14zM-14 -3h5v6h-5zM-6 -3h12v6h-12zM9 -3h5v6h-5zM-14 5h11v6h-11zM0 5h14v6h-14z", class: "sign-fill" }),
    ),
    sign(
      "x",
      s("path", { d: "M-15 -3L-5 7M-5 -3L-15 7", class: "sign-line" }),
      s("path", { d: "M1 -5C2 -12 13 -12 13 -4C13 1 5 4 1 9H14", class: "sign-line" }),
    ),
  ];
}

/** A disc of a side as a small picture, with the sign of a power disc or without. */
export function discPicture(side, power, className = "token") {
  return s(
    "svg",
    { class: className, viewBox: "-50 -50 100 100", "aria-hidden": "true" },
    s("use", { href: `#disc-${side}` }),
    ...(power ? [s("use", { href: `#sign-${power}`, transform: "scale(1.35)" })] : []),
  );
}

function sign(letter, ...marks) {
  return s("g", { id: `sign-${letter}` }, s("circle", { r: PLATE, class: "plate" }), ...marks);
}

// The menu of languages: choosing one opens the page again in it.

import { byId, h } from "./dom.js";
import { language, languages } from "./words.js";

export function offerLanguages() {
  const menu = byId("language");
  const options = Object.entries(languages()).map(([code, name]) => h("option", { value: code, lang: code }, name));
  menu.replaceChildren(...options);
  menu.value = language();
  menu.addEventListener("change", () => {
    const address = new URL(location.href);
    address.searchParams.set("lang", menu.value);
    location.assign(address);
  });
}

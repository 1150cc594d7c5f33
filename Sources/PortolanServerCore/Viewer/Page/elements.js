// Elements of the page: found, made, filled.

export const element = (id) => document.getElementById(id);

/** Makes an element with attributes and children. */
export function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (key in made && key !== "list") made[key] = value; else made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

/** Gives an element other children, where they look otherwise or are of other things (`data-id`): what has the keyboard keeps it. */
export function fill(id, children) {
  const parent = element(id);
  if (parent.childElementCount === children.length && children.every((child, index) => child.isEqualNode(parent.children[index]))) return;
  const place = [...parent.querySelectorAll("button, input")].indexOf(document.activeElement);
  parent.replaceChildren(...children);
  if (place >= 0) parent.querySelectorAll("button, input")[place]?.focus();
}

/** A button of a list, of something that an identifier tells from others. */
export const choice = (id, action, ...children) => make("button", { "data-id": String(id), onclick: action }, ...children);

/** Says whether a button is pressed. */
export const press = (id, isPressed) => element(id).setAttribute("aria-pressed", String(Boolean(isPressed)));

/**
 * Templates of all pages: lit-html, which puts data into the page as text and as attributes, never as HTML. Pages import it from
 * here, so that one line says where the library lies.
 */

export { AsyncDirective } from '../lit/async-directive.js';
export { directive } from '../lit/directive.js';
export { live } from '../lit/directives/live.js';
export { repeat } from '../lit/directives/repeat.js';
export { html, nothing, render, svg } from '../lit/lit-html.js';

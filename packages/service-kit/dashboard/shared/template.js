/**
 * Templates of all pages: lit-html, which puts data into the page as text and as attributes, never as HTML. Pages import it from
 * here, so that one line says where the library lies.
 */

export { html, nothing, render, svg } from 'lit-html';
export { AsyncDirective } from 'lit-html/async-directive.js';
export { directive } from 'lit-html/directive.js';
export { live } from 'lit-html/directives/live.js';
export { repeat } from 'lit-html/directives/repeat.js';

/**
 * What every view is given; main.js makes it.
 * @typedef {object} Page
 * @property {import('./view-state.js').ViewState} state
 * @property {() => ReturnType<typeof import('./api.js').createApi>} api
 * @property {(error: unknown) => void} failed says what is wrong, unless the question itself is no longer asked
 * @property {() => void} fine
 * @property {(text: string) => void} say for who listens to the page
 * @property {(change: Partial<import('./view-state.js').ViewState>) => void} go
 * @property {(change: Partial<import('./view-state.js').ViewState>) => string} linkTo
 * @property {(id: string, memory: any) => void} memoryChanged the open memory was changed, or is gone (null)
 */
export {};

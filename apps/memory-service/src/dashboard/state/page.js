/**
 * The interface of the page to its views; main.js makes it.
 * @typedef {object} Page
 * @property {import('./view-state.js').ViewState} state
 * @property {() => ReturnType<typeof import('../reading/api.js').createApi>} api
 * @property {(error: unknown) => void} failed shows an error, unless its request was cancelled
 * @property {() => void} fine
 * @property {(text: string) => void} say announces a text to screen readers
 * @property {(change: Partial<import('./view-state.js').ViewState>, how?: { isStep?: boolean }) => void} go
 * @property {(change: Partial<import('./view-state.js').ViewState>) => string} linkTo
 * @property {(count: number) => void} openContradictions puts their number into the title
 * @property {(id: string, memory: any) => void} memoryChanged called when the open memory was changed, or deleted (null)
 */
export {};

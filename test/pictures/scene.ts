import type { Studio } from './studio';

/** Brings the window to what a picture is to show. Gives what to wait for after each change of the theme. */
export type Scene = (studio: Studio) => Promise<() => Promise<void>>;

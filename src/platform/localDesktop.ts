import { env, UIKind } from 'vscode';

/** Whether the extension runs on the user's own machine, so that its programs and its trash are within reach. */
export function isLocalDesktop(): boolean {
  return env.remoteName === undefined && env.uiKind === UIKind.Desktop;
}

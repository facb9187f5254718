import { provideVSCodeDesignSystem, vsCodeButton, vsCodeProgressRing } from '@vscode/webview-ui-toolkit';
import type { HTMLAttributes } from 'preact';

/** Defines the controls the screens use. The page's policy must allow Trusted Types of the name `fast-html`. */
export function registerControls(): void {
  provideVSCodeDesignSystem().register(vsCodeButton(), vsCodeProgressRing());
}

declare module 'preact' {
  // The form in which Preact takes the elements it does not know itself.
  // oxlint-disable-next-line typescript/no-namespace
  namespace JSX {
    interface IntrinsicElements {
      'vscode-button': HTMLAttributes<HTMLElement> & {
        readonly appearance?: 'primary' | 'secondary' | 'icon';
        readonly disabled?: boolean;
      };
      'vscode-progress-ring': HTMLAttributes<HTMLElement>;
    }
  }
}

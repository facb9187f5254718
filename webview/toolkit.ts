import { provideVSCodeDesignSystem, vsCodeButton, vsCodeProgressRing } from '@vscode/webview-ui-toolkit';
import type { HTMLAttributes } from 'preact';

/** Defines the custom elements the screens use. The page's policy must allow the Trusted Types policy `fast-html`. */
export function registerControls(): void {
  provideVSCodeDesignSystem().register(vsCodeButton(), vsCodeProgressRing());
}

declare module 'preact' {
  // Preact requires this form to declare custom elements.
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

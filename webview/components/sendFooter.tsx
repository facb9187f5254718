import type { ComponentChildren } from 'preact';
import { LastCost } from './lastCost';
import './sendPage.css';

/** The footer of a page that sends something; always visible. */
export function SendFooter({ children }: { readonly children: ComponentChildren }) {
  return (
    <footer class="send-footer">
      <div class="send-column">{children}</div>
    </footer>
  );
}

export interface SendButtonProps {
  readonly label: string;
  /** Says what will be sent, or why it cannot be sent yet. */
  readonly about: string;
  readonly cost?: Parameters<typeof LastCost>[0]['cost'] | undefined;
  readonly disabled: boolean;
  readonly onSend: () => void;
  /** Buttons for alternatives to sending. */
  readonly children?: ComponentChildren;
}

export function SendButton({ label, about, cost, disabled, onSend, children }: SendButtonProps) {
  return (
    <div class="send-row">
      <vscode-button appearance="primary" disabled={disabled} aria-describedby="send-about" onClick={onSend}>
        {label}
      </vscode-button>
      {children}
      <span id="send-about" class="send-muted">
        {about}
        {cost && <LastCost cost={cost} />}
      </span>
    </div>
  );
}

export interface SendProgressProps {
  /** Localized progress. */
  readonly text: string;
  /** From 0 to 1; absent if unknown. */
  readonly part?: number;
  readonly cancel: string;
  /** Missing once it can no longer be canceled. */
  readonly onCancel: (() => void) | undefined;
}

export function SendProgress({ text, part, cancel, onCancel }: SendProgressProps) {
  return (
    <div class="send-row">
      <progress class="reading-bar" aria-label={text} max={1} {...(part !== undefined && { value: part })} />
      <span class="send-muted">{text}</span>
      {onCancel && (
        <vscode-button appearance="secondary" onClick={onCancel}>
          {cancel}
        </vscode-button>
      )}
    </div>
  );
}

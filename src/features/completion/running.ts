import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { setContext } from '../../platform/contributions';
import type { Disposable } from '../../platform/disposables';
import { UserError } from '../../platform/errors/userError';
import type { Services } from '../../services/services';
import { createStatusBarItem } from '../../platform/notify';

/** Allows one completion at a time, and shows that it is running. */
export interface Running extends Disposable {
  /** Throws `UserError` while another completion is running. */
  alone<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  stop(): void;
}

export function createRunning({ activity }: Services): Running {
  let current: AbortController | undefined;
  const status = createStatusBarItem('inferenceDesk.completing', vscode.StatusBarAlignment.Right);
  status.name = l10n.t('Completion');
  const words = l10n.t('Completing… (Esc stops)');
  status.text = `$(loading~spin) ${words}`;
  status.accessibilityInformation = { label: words, role: 'button' };
  status.tooltip = l10n.t('Stop, and keep what came');
  status.command = 'inferenceDesk.complete.stop';
  return {
    async alone(work) {
      if (current) {
        throw new UserError(
          l10n.t('A completion is coming already'),
          l10n.t('Wait until it ends, or stop it with Esc.'),
        );
      }
      current = new AbortController();
      const running = activity.start(l10n.t('Completing'), { paid: true });
      status.show();
      void setContext('inferenceDesk.completing', true);
      try {
        return await work(current.signal);
      } finally {
        current = undefined;
        running.dispose();
        status.hide();
        void setContext('inferenceDesk.completing', false);
      }
    },
    stop: () => current?.abort(),
    dispose() {
      current?.abort();
      status.dispose();
    },
  };
}

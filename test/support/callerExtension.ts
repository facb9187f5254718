import * as vscode from 'vscode';
import type {
  InferenceDesk,
  InferenceDeskError,
  InferenceDeskErrorCode,
} from '../../src/features/publicApi/logic/inferenceDesk';
import type { Services } from '../../src/services/services';
import { ensureSettings } from './deskServices';

/** The exports of the extension in `test/fixtures/callerExtension`. */
export interface Caller {
  readonly id: string;
  /** Connects like the extension itself. */
  connect(signal?: AbortSignal): Promise<InferenceDesk>;
}

export async function callerExtension(): Promise<Caller> {
  const extension = vscode.extensions.getExtension<Caller>('inference-desk-test.desk-test-caller');
  if (!extension) throw new Error('The calling extension is not there: is this the integration host?');
  return extension.activate();
}

export async function setAccess({ settings }: Pick<Services, 'settings'>, access: Readonly<Record<string, boolean>>) {
  await ensureSettings(settings, { extensionAccess: access });
}

/** For `rejects`: an error in the public form, without a URL. */
export function deskError(
  code: InferenceDeskErrorCode,
  facts: Partial<InferenceDeskError> = {},
): (error: unknown) => boolean {
  return (error) => {
    const { name, message, code: found, cause } = error as InferenceDeskError;
    const isOne = error instanceof Error && name === 'InferenceDeskError' && found === code && cause === undefined;
    const fits = Object.entries(facts).every(([key, value]) =>
      Object.is((error as Record<string, unknown>)[key], value),
    );
    if (isOne && fits && message.length > 10 && !/\w:\/\//.test(message)) return true;
    throw new Error(`Not the error ${code} ${JSON.stringify(facts)}: ${JSON.stringify(error)} ${String(error)}`);
  };
}

import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { createClient } from '../../core/api/client';
import type { Client } from '../../core/api/client';
import type { ClientOptions } from '../../core/api/clientOptions';
import type { ModelOptions } from '../../core/api/modelOptions.schema';
import { createPickingStack } from '../../core/api/transport/pickTransport';
import type { PickingStackOptions } from '../../core/api/transport/pickTransport';
import { isLoopback } from '../../core/profiles/baseUrl';
import { currencyOf, hasPrices, knownServiceOf } from '../../core/profiles/knownServices';
import { readOverrides } from '../../core/capabilities/modelOverrides';
import { foreign } from '../../core/text/foreignText';
import { showMessage } from '../../platform/notify';
import { textTimers } from '../../core/profiles/textTimers';
import { rulesOf } from '../../core/profiles/vendorRules';
import type { Settings } from '../../platform/settings';

/** Opens a client over the network stack of the settings, with what is known of the service. Loaded at the first use of an account. */
export function openClient(
  {
    settings,
    remembered,
    profileId,
  }: {
    readonly settings: Settings;
    readonly remembered: PickingStackOptions['remembered'];
    /** The account whose model options apply, if it is saved. */
    readonly profileId: string | undefined;
  },
  options: Omit<
    ClientOptions,
    'stack' | 'bounds' | 'hasBalance' | 'hasPrices' | 'currency' | 'batchesAvoidLimits' | 'service' | 'modelOptions'
  >,
): Client {
  const local = isLoopback(new URL(options.baseUrl).hostname);
  const stack = createPickingStack({
    preference: () => settings.get('network.stack'),
    proxyConfigured: () => !local && isProxyConfigured(process.env),
    undici: async () => (await import('../../core/api/transport/undiciTransport')).createUndiciStack(),
    editor: async () => (await import('../../core/api/transport/editorTransport')).createEditorStack(),
    remembered,
  });
  const timers = {
    get text() {
      return textTimers(options.baseUrl, settings.get('network.responseTimeout'));
    },
  };
  const { bounds, hasBalance, batch } = rulesOf(options.baseUrl);
  const service = knownServiceOf(options.baseUrl);
  const keyHeader = options.keyHeader ?? service?.auth;
  return createClient({
    ...options,
    bounds,
    hasBalance,
    hasPrices: hasPrices(options.baseUrl),
    currency: currencyOf(options.baseUrl),
    batchesAvoidLimits: batch.avoidsLimits,
    keyHeader,
    service: service?.id,
    stack,
    timers,
    ...(profileId !== undefined && { modelOptions: modelOptionsOf(settings, profileId) }),
  });
}

/** Returns a function that returns what the user set for a model. What is invalid is reported, once, and ignored. */
function modelOptionsOf(settings: Settings, profileId: string): (model: string) => ModelOptions {
  const reported = new Set<string>();
  return (model) => {
    const { overrides, problems } = readOverrides(settings.get('models.overrides'), profileId, model);
    const text = `${foreign(model)}: ${problems.join(' ')}`;
    if (problems.length > 0 && !reported.has(text)) {
      reported.add(text);
      reportInvalid(text);
    }
    return overrides;
  };
}

function reportInvalid(text: string): void {
  const open = l10n.t('Open Settings');
  const message = l10n.t('Invalid values in inferenceDesk.models.overrides: {0}', text);
  void showMessage('warning', message, open).then(
    (chosen) =>
      chosen === open &&
      vscode.commands.executeCommand('workbench.action.openSettings', 'inferenceDesk.models.overrides'),
  );
}

const variables = ['https_proxy', 'http_proxy', 'all_proxy'];

/** Whether the editor's settings or the environment name a proxy. A proxy set only in the system is not visible from here. */
export function isProxyConfigured(environment: Readonly<Record<string, string | undefined>>): boolean {
  const http = vscode.workspace.getConfiguration('http');
  if (http.get('proxySupport') === 'off') return false;
  if (isNamed(http.get('proxy'))) return true;
  // In a remote window, the proxy can be set for the local machine only. The typings lack that property.
  const inspected: object = http.inspect('proxy') ?? {};
  if ('globalLocalValue' in inspected && isNamed(inspected.globalLocalValue)) return true;
  return variables.some((name) => isNamed(environment[name]) || isNamed(environment[name.toUpperCase()]));
}

const isNamed = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';

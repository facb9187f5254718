import * as vscode from 'vscode';

const variables = ['https_proxy', 'http_proxy', 'all_proxy'];

/** Whether the editor's settings or the environment name a proxy. A proxy set only in the system is not visible from here. */
export function isProxyConfigured(environment: Readonly<Record<string, string | undefined>>): boolean {
  const http = vscode.workspace.getConfiguration('http');
  if (http.get('proxySupport') === 'off') return false;
  if (isNamed(http.get('proxy'))) return true;
  // In a remote window, the proxy may be set for the local machine only; the typings lack that property.
  const inspected: object = http.inspect('proxy') ?? {};
  if ('globalLocalValue' in inspected && isNamed(inspected.globalLocalValue)) return true;
  return variables.some((name) => isNamed(environment[name]) || isNamed(environment[name.toUpperCase()]));
}

const isNamed = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';

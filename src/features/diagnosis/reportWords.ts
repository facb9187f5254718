import { env, l10n } from 'vscode';
import type { HostClass } from '../../core/diagnosis/hostClass';
import type { ReportWords } from '../../core/diagnosis/report';
import type { SettingFact } from '../../core/diagnosis/settingFact';
import { listText } from '../../protocol/formats';

export function createReportWords(): ReportWords {
  return {
    title: l10n.t('Inference Desk: problem report'),
    introduction: l10n.t(
      'This is all that the report holds, and nothing was sent. It has no key, no path and nothing that you typed. Say below what happened, take out what you do not want to share, then copy or save it: by the links above, or by the command "Inference Desk: Copy Problem Report".',
    ),
    whatHappened: l10n.t('What happened'),
    whatHappenedAsks: l10n.t('What did you do, what did you expect, and what came instead?'),
    versions: l10n.t('Versions'),
    account: l10n.t('Account'),
    network: l10n.t('Network'),
    settings: l10n.t('Settings that differ from their defaults'),
    counts: l10n.t('Work on this machine'),
    errors: l10n.t('Last errors of this window (UTC)'),
    calls: l10n.t('Last calls of this window, failed ones first (UTC)'),
    yes: l10n.t('yes'),
    no: l10n.t('no'),
    noSettings: l10n.t('None differs.'),
    noErrors: l10n.t('None'),
    onlyFailedCalls: l10n.t('None besides the failed calls below'),
    noCalls: l10n.t('None'),
    accountStatus,
    profile: ({ host, isActive, hasKey }) =>
      listText(
        [
          isActive ? l10n.t('Active profile') : l10n.t('Profile'),
          hostWords(host),
          hasKey ? l10n.t('has a key') : l10n.t('has no key'),
        ],
        env.language,
      ),
    setting: settingWords,
  };
}

function accountStatus(status: string): string {
  switch (status) {
    case 'ready':
      return l10n.t('Signed in; the service told of the account.');
    case 'notOffered':
      return l10n.t('Signed in; the service tells nothing of accounts.');
    case 'failed':
      return l10n.t('Signed in; the service could not be asked for the account:');
    case 'signedOut':
      return l10n.t('Signed out.');
    default:
      return l10n.t('The service was not asked for the account yet.');
  }
}

function hostWords(host: HostClass): string {
  switch (host) {
    case 'international':
      return l10n.t('international service');
    case 'china':
      return l10n.t('Chinese service');
    case 'thisMachine':
      return l10n.t('this machine');
    case 'privateNetwork':
      return l10n.t('a private network');
    case 'other':
      return l10n.t('another host');
    case 'unreadable':
      return l10n.t('an address that cannot be used');
  }
}

function settingWords(fact: SettingFact): string {
  switch (fact.kind) {
    case 'shown':
      return fact.text;
    case 'entries':
      return fact.count === 1 ? l10n.t('1 entry') : l10n.t('{0} entries', fact.count);
    case 'path':
      return fact.isAbsolute ? l10n.t('an absolute path') : l10n.t('a path in the workspace');
    case 'hidden':
      return l10n.t('set; its value is not shown');
  }
}

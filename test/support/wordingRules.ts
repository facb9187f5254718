/** A way of wording that the product avoids. A rule asks a question: a text that matches is either rewritten or listed with a reason. */
interface Rule {
  readonly name: string;
  readonly pattern: RegExp;
}

/** Matches any of the alternatives as full words. A sentence may start with them. */
const words = (...alternatives: readonly string[]): RegExp => new RegExp(`\\b(?:${alternatives.join('|')})\\b`, 'i');

const be = '(?:is|are|was|were|be|been|being)';
const start = String.raw`(?:^|[.:;!?] |\n)`;
const actor = '(?:service|server|model|list|proxy|account|clock|page|table)';

/** Words of the term base that have a standard replacement. */
const terms: readonly (readonly [instead: string, pattern: RegExp])[] = [
  ['image', words('pictures?')],
  ['details', words('recipes?')],
  ['request and response', words('exchanges?(?! rates?)')],
  ['rate', words('judges?', 'judged', 'judge?ments?')],
  ['bonus credit', words('gifts?')],
  ['voice', words('voice styles?')],
  ['inline suggestion', words('ghost text')],
  ['error', words('faults?(?! tolerance)')],
  [
    'generate or submit',
    words(`${be} ordered(?! by)`, '(?:this|the|an?|each|every) orders?(?! of| by| in| to)', 'orders (?:it|an?)'),
  ],
  ['generate or submit', /\b[Oo]rder (?:it|this|an?|images?|videos?)\b|\{\d\} orders\b/],
  ['URL', words('(?<!e-?mail )(?<!IP )address(?:es)?')],
  ['you or the user', words('somebody', 'the person', 'each person', 'who asks')],
  ['property', words('members? (?:of|named|that|is|are|must|has)')],
  ['ID', /(?<![\w`"'{_.-])(?:Ids?|ids?)(?![\w`"'}_(:.=-])/],
  ['download or load', words('fetch(?:es|ed|ing)?')],
  ['remove from list', words('forgets?', 'forgotten', 'forgot')],
  ['reject', words('refuses?', 'refused', 'refusing')],
  ['fix', words('mends?', 'mended', 'mending')],
  ['truncated', words('cut (?:off|short)')],
  ['limit reached', words('used up')],
  ['in progress', words('under way', 'gets? on', 'is at it')],
  ['omitted', words('left out', 'left over')],
  ['continue', words('go(?:es)? on', 'going on', 'gone on', 'go(?:es)? along', 'going along')],
  ['contains', words('holds', 'held', 'stands?(?! ?-?alone)', 'stood')],
  ['supports', words('speaks', 'lacks?')],
  ['up to', words('at most')],
  ['entire', words('whole(?! number| word| line| day)')],
  ['automatically', words('by (?:itself|themselves)', 'unasked')],
  ['its own', words('of (?:its|their|his|your) own', 'of (?:yours|ours|theirs)')],
  ['only', words('(?:it|them|this|that|one|are|is|for|line|text) alone')],
  ['again', words('anew')],
  ['next to', words('beside')],
  ['usually', words('mostly')],
  ['immediately', words('at once')],
  ['soon', words('shortly')],
  [
    'a plainer word',
    words(
      'meanwhile',
      'likeliest',
      'weightiest',
      'in vain',
      'beforehand',
      'afterwards',
      'likewise',
      'thereby',
      'therein',
    ),
  ],
  ['no longer', words('any ?more')],
  ['instead of', words('in place of', 'in (?:its|their) place')],
  ['so', /, so that\b/],
  ['you', /\b[Ww]e\b(?! won't retry)/],
];

const rules: readonly Rule[] = [
  ...terms.map(([instead, pattern]) => ({ name: `write "${instead}"`, pattern })),
  {
    name: 'passive without an actor',
    pattern: words(
      `${be}(?: (?:not|never|then|only|also|still|already|once))? (?:asked|told|kept|had|made|said|given(?! by)|looked|known|meant|paid|spent|gone|followed|put|tried|got|learned|spoken|taken|wanted|left|written|ranked|remembered|thrown|drawn|owed)`,
    ),
  },
  {
    name: 'a sentence that starts with "It"',
    pattern: new RegExp(
      `${start}It (?:is|was|has|had|may|cannot|could|does|did|goes|counts|takes|begins|ends|broke|failed|needs|reads|answered|keeps|belongs|comes|would|runs|lists|stays|gets|lasts|costs|says|starts|works)\\b`,
    ),
  },
  {
    name: 'nothing as subject',
    pattern: words(
      'nothing(?! to (?:do|show|undo|redo|compare|commit))',
      `(?:are|has|is|was|were|have|with|for) none`,
      'none (?:chosen|of it|was|is|yet)',
      'nobody',
    ),
  },
  {
    name: 'a colon before a new sentence',
    pattern:
      /(?<!^(?:Fix all|\{0\}))(?<=[a-z}"`)]): (?:it|its|they|the|this|that|what|an?|then|there|no|nothing|by|in|choose|write|give|ask|open|some|one|each|if|you|only|for|as|with|is|their|all|most|do|use|make|your|on|check|look|select|close)\b/,
  },
  { name: 'a semicolon', pattern: /; (?=[a-z{"`])/ },
  {
    name: '"what" as a noun',
    pattern: new RegExp(
      `(?:${start}|[,(] )[Ww]hat (?:is|was|are|were|came|comes|goes|this|it|the|you|of|no|to|has|had|they|models?|each|only|went|an?|others?|fails|failed|follows)\\b(?![^.\\n]*\\?)|\\b(?:of|for|from|by|with|in|as|and|than|see|keeps?|all|is|to|are|says?|check|know|after|but|changes?|only|on) what (?:is|was|are|were|came|comes|goes|it|the|you|they|can|has|had|no|an?|one|this|each|models?|failed|others?)\\b`,
    ),
  },
  {
    name: 'a thing that speaks',
    pattern: new RegExp(
      `\\b${actor}(?: no longer| then| only)? (?:says?|said|names?|named|takes(?! up)|took(?! too)|gives?|gave|knows?|knew|has no|wants?|answers?|tells?|told|thinks|sees|wrote|asks?|heard|writes)\\b`,
      'i',
    ),
  },
  {
    name: 'a translated verb',
    pattern: words(
      'tells? (?:of|that|what|how|by|no)',
      'told (?:by|of|to|that)',
      'broke off',
      'breaks? off',
      '(?:came|comes?) of',
      'came (?:back|before|in|since)',
      'lets? go',
      'left to the',
      'take (?:them |it )?back',
      'counts? (?:for|to)',
      'begins? with',
      'ends (?:by|with|as|within)',
      'that fits',
      'gets? it done',
    ),
  },
  {
    name: 'past tense for a present state',
    pattern: words(
      '(?<!(?:so the|no) [a-z]+ )(?:was|were) (?:not |never )?(?:changed|moved|removed|deleted|uploaded|saved|opened|closed|stopped|cut|ended|replaced|lost|downloaded|created|submitted|answered|split|mistyped|revoked|generated|reached|edited|renamed|billed)',
    ),
  },
  {
    name: '"of the" for a compound',
    pattern:
      /\b(?:address|page|answer|key|lists?|models?|certificate|limits?|balance|storage|id|ID|record|parameters|words|question|proxy|tokens|requests|results?|folder|name|file|samples?|problems?|answers) of (?:the|this|an?|its|your|that|these) (?:service|account|model|batch|answer|voice|extension|machine|video|request|run|key|proxy|server|day|cursor|order|message|file|image|prompt)\b/,
  },
  {
    name: '"is no"',
    pattern:
      /(?<!here )\b(?:is|are|was|were) no (?!longer\b|more\b|changes|matching|active|open)[a-z]+|\b(?:no|not) \w+ (?:is|are|was) known\b|\bnot known\b/,
  },
  {
    name: 'a vague comparison',
    pattern: words(
      'as (?:it|they) (?:is|are|was|were|goes|comes)',
      'something else than',
      'alike',
      'no other',
      'than (?:is|are|was|that)',
      'in (?:which|what) (?:form|way|order)',
      'the usual(?! [a-z]+ (?:is|are))',
      'as usual',
      'as before',
    ),
  },
  {
    name: '"again" for a verb with re-',
    pattern: words(
      '(?:sent|asked|made|taken|read|looked for|drawn|counted|billed|paid|checked|found|had) again',
      "(?<!don't )(?:ask|generate|make|read|look|take)(?: it| this| them| for it| \\w+)? again",
    ),
  },
  {
    name: 'an unclear limit',
    pattern: /\b[Ss]o (?:many|much)\b(?! that)|\b[Nn]ot (?:set|for this)\b|\b[Ee]mpty:|\b0`?:/,
  },
  {
    name: '"where" for "if"',
    pattern:
      /\bwhere (?:absent|it|there|they|none?|one|no|only|the (?:account|service|model|client|list|key))\b(?![^.]*\?)|\bin which (?:there|it)\b/,
  },
  {
    name: '"is to be"',
    pattern:
      /\b(?:is|are|was|were) (?:not )?to be\b|\b(?:has|have) to be\b|^Being \w+|\bbeing (?:made|found out|looked)\b|\bjust then\b/,
  },
  {
    name: 'a label that starts with an everyday verb or a fragment',
    pattern:
      /^(?:Go [Oo]n|Throw|Take|Begin|Look|Put|Leave|Let|Say|Only|Being|As|So|Not|Still|Nothing|None|What|Which|Whose|In which|Reading (?:the|which|what)|Looking|Write|Type|Ask|Give|Make)\b(?! (?:sure|language|changes))[^.?]{0,45}$/,
  },
  { name: 'curly quotes', pattern: /[“”‘’]/ },
  { name: 'three dots for an ellipsis', pattern: /\w\.\.\.(?!\w)/ },
  { name: 'two spaces', pattern: /\S {2,}\S(?![^]*\n)(?<!\n[^]*)/ },
  { name: 'a last sentence without a period', pattern: /[a-z]\. [A-Z][^.!?]*[a-z]$/ },
  {
    name: 'British spelling',
    pattern: words(
      'colours?',
      'greys?',
      'cancell(?:ed|ing)',
      'licences?',
      'catalogues?',
      'behaviours?',
      'favourites?',
      '[a-z]+isation',
      '(?:organ|recogn|summar|neutral|normal|local)is(?:e|es|ed|ing)',
    ),
  },
];

/** Lowercase in titles unless they come first. */
const small = new Set('a an and as at but by for from if in into nor of on or per the to up via vs with'.split(' '));

/** Whether every word of a button or command is capitalized, except for articles, conjunctions, and short prepositions. */
function isTitleCase(label: string): boolean {
  const plain = label.replaceAll(/\{\d\}|`[^`]*`|"[^"]*"|\([^)]*\)|\$\([^)]*\)/g, ' ');
  return plain
    .split(/[\s/]+/)
    .filter((word) => /^[a-z]/i.test(word))
    .every((word, at) => /^[A-Z]/.test(word) || (at > 0 && small.has(word)) || /[A-Z_.:]/.test(word));
}

/** Returns the names of the rules that an English text matches. A button or command is also checked for title case. */
export function wordingSlips(text: string, isAction: boolean): readonly string[] {
  const seen = text.replaceAll(/\(command:[^)]*\)/g, '');
  const found = rules.filter(({ pattern }) => pattern.test(seen)).map(({ name }) => name);
  return [...new Set([...found, ...(isAction && !isTitleCase(seen) ? ['a button in sentence case'] : [])])];
}

/** What a Chinese text doesn't contain, with the word to write instead. */
const chineseRules: readonly Rule[] = [
  { name: '你', pattern: /您/ },
  { name: '本机', pattern: /(?:此|本|当前|这台)(?:计算机|电脑|机器)/ },
  { name: '批量推理、批量任务、批量文件', pattern: /批处理|批量任务文件/ },
  { name: '聊天模型', pattern: /对话模型/ },
  { name: '退出登录', pattern: /登出|注销/ },
  { name: '实名认证', pattern: /实名(?!认证)/ },
  { name: '账户', pattern: /[帐账]号|帐户/ },
  { name: '登录', pattern: /登陆/ },
  { name: '默认', pattern: /缺省|常用(?:的)?(?:聊天|补全|重排序|图片|视频|语音|嵌入)?模型/ },
  { name: '图片', pattern: /图像/ },
  { name: '侧边栏、选项卡', pattern: /侧栏|标签页/ },
  { name: '提示词文件', pattern: /提示文件/ },
  { name: '字词', pattern: /词语/ },
  { name: '支出、扣费', pattern: /花费上限|今日花费|可能已(?:经)?计费|再次计费/ },
  { name: 'Token', pattern: /令牌|词元|个 token/ },
  { name: '单击', pattern: /点击|点选/ },
  { name: '语义搜索', pattern: /语义(?:查找|检索)|按含义/ },
  { name: 'no space between Chinese characters', pattern: /\p{Script=Han} +\p{Script=Han}/u },
];

/** Returns the names of the rules that a Chinese text matches. */
export function chineseSlips(text: string): readonly string[] {
  return chineseRules.filter(({ pattern }) => pattern.test(text)).map(({ name }) => name);
}

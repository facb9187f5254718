import type { Question } from './question';

interface HowTo {
  readonly pattern: RegExp;
  /** The command that does it, and its title. */
  readonly command: string;
  readonly title: readonly [en: string, zh: string];
  readonly en: string;
  readonly zh: string;
}

/** A Markdown link to a command of the extension, which shows it as a button. */
const button = (command: string, title: string): string => `[${title}](command:inferenceDesk.${command})`;

/** How to do what the product does, most specific first. */
const howTos: readonly HowTo[] = [
  {
    pattern: /\bretry\b.*\b(?:batch|failed (?:requests?|lines|rows))\b|重试.*(?:批量|失败的请求)/i,
    command: 'batches.retryFailed',
    title: ['Retry Failed Requests…', '重试失败的请求…'],
    en: 'When a batch has ended, retry the failed requests from its row in the **Batches** view or from its results page. The new answers are merged into the same results.',
    zh: '批量任务结束后，在**批量任务**视图中的对应行或结果页上重试失败的请求。新的回答会合并到同一份结果中。',
  },
  {
    pattern:
      /\b(?:csv|spreadsheet|table|rows)\b.*\bbatch|\bbatch\b.*\b(?:csv|spreadsheet|table|rows)\b|(?:csv|表格).*批量|批量.*(?:csv|表格)/i,
    command: 'batchFile.newFromRows',
    title: ['New Batch File from Table…', '从表格新建批量文件…'],
    en: 'Write one prompt with the column names in double braces, such as `Summarize {{review}}`. Each row becomes one request.',
    zh: '写一条提示词，用双大括号引用列名，例如 `总结 {{review}}`。每一行会成为一个请求。',
  },
  {
    pattern:
      /\b(?:run|send|process)\b.*\bbatch file\b.*\bnow\b|\b(?:without (?:a|submitting a) batch|run (?:it|the file) locally)\b|立即运行.*批量/i,
    command: 'batchFile.runLocally',
    title: ['Run Batch File Now…', '立即运行批量文件…'],
    en: 'Run a batch file now to send its requests one by one at the full price, without waiting for a batch.',
    zh: '立即运行批量文件会逐个发送其中的请求，按原价计费，不需要等待批量任务。',
  },
  {
    pattern:
      /\b(?:how|where|submit|send|run|make|create|start|write|use)\b.*\bbatch(?:es)?\b(?! normali[sz]| size| gradient)|(?:如何|怎么|怎样|提交|创建|新建).*批/i,
    command: 'batchFile.new',
    title: ['New Batch File…', '新建批量文件…'],
    en: '1. Create a file that ends in `.jsonl` with one request per line.\n2. Fix what the Problems panel lists.\n3. Choose **Submit Batch…** above the first line.\n4. Follow the batch in the **Batches** view, and open its results there.',
    zh: '1. 创建以 `.jsonl` 结尾的文件，每行一个请求。\n2. 修正“问题”面板中列出的内容。\n3. 选择第一行上方的**提交批量任务…**。\n4. 在**批量任务**视图中查看进度，并在那里打开结果。',
  },
  {
    pattern:
      /\b(?:generate|create|make|draw|paint|edit)\b[^.?]*\b(?:images?|pictures?|photos?|drawings?|logos?|icons?)\b(?! (?:classif|recogni|element|tag|component))|^\W*(?:draw|paint)\b|(?:生成|画|绘制|编辑)[^。？]*(?:图|画|照片)/i,
    command: 'images.open',
    title: ['Generate Images', '生成图片'],
    en: 'Images have a page of their own. Enter a prompt, choose a model and a size, and the images are saved to the gallery.',
    zh: '图片有单独的页面。输入提示词，选择模型和尺寸，生成的图片会保存到图库。',
  },
  {
    pattern:
      /\b(?:generate|create|make|render)\b[^.?]*\b(?:videos?|clips?|animations?)\b|(?:生成|制作)[^。？]*(?:视频|短片)/i,
    command: 'videos.open',
    title: ['Generate Videos', '生成视频'],
    en: 'Videos have a page of their own. A job keeps running at the service when you close the window, and the video is saved when it’s ready.',
    zh: '视频有单独的页面。关闭窗口后，任务仍在服务端运行，完成后视频会保存下来。',
  },
  {
    pattern: /\btranscri(?:be|pt)\b|\bspeech to text\b|转写|语音转文字/i,
    command: 'voices.transcribe',
    title: ['Transcribe Audio…', '转写音频…'],
    en: 'Choose an audio file, and its text opens in a new editor.',
    zh: '选择音频文件，转写的文本会在新的编辑器中打开。',
  },
  {
    pattern:
      /\b(?:clone|upload|add|create|use)\b[^.?]*\bvoices?\b|\b(?:generate|make|create)\b[^.?]*\b(?:speech|audio)\b|\btext to speech\b|\bread (?:this|it|text) aloud\b|(?:上传|克隆|添加).*音色|语音合成|生成语音|朗读/i,
    command: 'voices.upload',
    title: ['Upload Voice Sample…', '上传音色样本…'],
    en: 'Open a voice in the **Voices** view to generate speech. To use your own voice, upload a short recording.',
    zh: '在**音色**视图中打开一个音色即可生成语音。要使用自己的音色，请上传一段短录音。',
  },
  {
    pattern:
      /\b(?:how|where|rerank|rank|sort by relevance)\b.*\brerank|\brerank (?:this|my|a|the|some)\b|(?:如何|怎么).*重排/i,
    command: 'rerank.open',
    title: ['Rerank…', '重排序…'],
    en: 'Enter a question and a list of texts, and a reranker sorts the texts by relevance. You can also rerank selected lines in an editor.',
    zh: '输入问题和一组文本，重排序模型会按相关性排序。也可以对编辑器中选定的行重排序。',
  },
  {
    pattern:
      /\b(?:search|find)\b.*\b(?:by meaning|semantic\w*)\b|\bsemantic search\b.*\b(?:how|use|run|open)\b|\bhow\b.*\bsemantic search\b|语义(?:查找|搜索)/i,
    command: 'findByMeaning',
    title: ['Semantic Search…', '语义查找…'],
    en: 'Semantic search finds passages in your workspace that match a question, even if they use other words.',
    zh: '语义查找会在工作区中找出与问题意思相符的段落，即使用词不同。',
  },
  {
    pattern: /\binline suggestions?\b|\bghost ?text\b|\bautocomplet(?:e|ion)\b|\btab completion\b|内联建议|自动补全/i,
    command: 'ghostText.chooseModel',
    title: ['Select Inline Suggestion Model…', '选择内联建议模型…'],
    en: 'Choose a model for inline suggestions, and then turn them on. They appear in gray while you type. Press `Tab` to accept one.',
    zh: '先为内联建议选择模型，然后启用。建议会在输入时以灰色显示，按 `Tab` 接受。',
  },
  {
    pattern: /\b(?:complete|continue)\b.*\b(?:selected text|selection|text in the editor)\b|补全(?:选定|选中)/i,
    command: 'complete.insert',
    title: ['Complete Text', '补全文本'],
    en: 'Place the cursor in a text or select a part of it, and then run **Complete Text**. The model continues the text there.',
    zh: '把光标放在文本中，或选定一部分，然后运行**补全文本**，模型会在那里接着写。',
  },
  {
    pattern: /\b(?:vs ?code(?:'s|’s)?|copilot|agent)(?: own)? chat\b|VS ?Code.*聊天|copilot/i,
    command: 'editorChat.manage',
    title: ['Manage VS Code Chat Models…', '管理 VS Code 聊天模型…'],
    en: 'Choose the models that the model picker of VS Code’s own chat should offer.',
    zh: '选择要在 VS Code 自带聊天的模型选择器中提供的模型。',
  },
  {
    pattern: /\bprompt files?\b|\bsave (?:a|my|this) prompt\b|\breus(?:e|able)\b.*\bprompts?\b|提示词文件/i,
    command: 'prompts.new',
    title: ['New Prompt File', '新建提示词文件'],
    en: 'A prompt file stores a prompt with its model, parameters, and variables. Run it with the link above its first line.',
    zh: '提示词文件保存提示词及其模型、参数和变量。使用第一行上方的链接运行。',
  },
  {
    pattern:
      /\battach\b.*\b(?:files?|folders?|selection|code)\b|\badd (?:a )?(?:file|context)\b|(?:附加|添加).*(?:文件|上下文)/i,
    command: 'chat.attach',
    title: ['Add Context to Chat…', '将上下文添加到聊天…'],
    en: 'Type `#` in the question, drag files into the chat, or use the button below the input box.',
    zh: '在问题中输入 `#`，把文件拖入聊天，或使用输入框下方的按钮。',
  },
  {
    pattern:
      /\bexport\b.*\b(?:conversation|chat)\b|\bsave (?:this|the|my) (?:conversation|chat)\b|导出.*(?:对话|聊天)/i,
    command: 'chat.export',
    title: ['Export Conversation…', '导出对话…'],
    en: 'Export the conversation as Markdown or JSON. Conversations are also kept in the history of the chat.',
    zh: '可以把对话导出为 Markdown 或 JSON。对话也会保留在聊天的历史记录中。',
  },
  {
    pattern:
      /\bhow much\b.*\b(?:cost|spen[dt]|money)\b|\bwhat (?:does|do|did) (?:it|this|that|you|I)\b.*\b(?:cost|spen[dt])\b|\b(?:my )?(?:spending|balance|budget|spending cap)\b|花了多少|多少钱|收费吗|余额|支出/i,
    command: 'activity.open',
    title: ['Open Activity and Spend', '打开活动与支出'],
    en: 'The demo service costs nothing. With your own account, prices are shown before you send paid requests, and spend is listed by day, model, and client.',
    zh: '演示服务不收费。使用自己的账户时，发送付费请求前会显示价格，支出按日期、模型和客户端列出。',
  },
  {
    pattern:
      /\b(?:what|which) models\b|\blist (?:of )?(?:the )?models\b|\b(?:choose|change|switch|select|pick|find)\b.*\bmodels?\b|有哪些模型|(?:选择|切换|更换).*模型/i,
    command: 'models.search',
    title: ['Search Models…', '搜索模型…'],
    en: 'The **Models** view lists the models of the active account. In the demo, every chat model answers by the same rules.',
    zh: '**模型**视图列出当前账户的模型。在演示中，所有聊天模型都按同样的规则回答。',
  },
  {
    pattern: /\b(?:stop|remove|disable|turn off|quit|leave)\b.*\bdemo\b|(?:停止|关闭|退出).*演示/i,
    command: 'demo.stop',
    title: ['Stop Demo Service', '停止演示服务'],
    en: 'The demo service runs on this machine until you stop it.',
    zh: '演示服务在本机运行，直到你停止它。',
  },
  {
    pattern: /\bsamples?\b(?! rate| size| text)|\bexample files?\b|\btry (?:it|this) out\b|示例(?:文件|工作区)/i,
    command: 'samples.open',
    title: ['Open Sample Workspace', '打开示例工作区'],
    en: 'The sample workspace has batch files, a table, a list to rerank, and a prompt file. They all work with the demo service.',
    zh: '示例工作区包含批量文件、表格、用于重排序的列表和提示词文件，都可以用演示服务运行。',
  },
  {
    pattern:
      /\b(?:sign|log) in\b|^\W*(?:how (?:do|can) I )?login\W*$|\bapi key\b|\b(?:use|add|connect)\b.*\b(?:account|service|openai|anthropic|siliconflow|ollama|openrouter|deepseek|real model)\b|登录|密钥|(?:添加|连接).*(?:账户|服务)/i,
    command: 'signIn',
    title: ['Sign In…', '登录…'],
    en: 'Sign in with the API key of your service. The key is stored in VS Code’s secret storage and is sent only to that service. Local servers such as Ollama or llama.cpp need no key.',
    zh: '使用服务的 API 密钥登录。密钥保存在 VS Code 的机密存储中，只会发送到该服务。Ollama、llama.cpp 等本地服务器不需要密钥。',
  },
];

/** Explains how to do something with the product, with a button that does it; `undefined` for any other question. */
export function answerHowTo({ ask, material, say }: Question): string | undefined {
  if (material !== '' || ask.length > 300) return undefined;
  const found = howTos.find(({ pattern }) => pattern.test(ask));
  return found && `${say(found.en, found.zh)}\n\n${button(found.command, say(...found.title))}`;
}

/** What to do next where only a model could answer, one per question of a conversation. */
const nextSteps: readonly {
  readonly command: string;
  readonly title: readonly [string, string];
  readonly en: string;
  readonly zh: string;
}[] = [
  {
    command: 'signIn',
    title: ['Sign In…', '登录…'],
    en: 'Sign in with your own account, or connect a local server, to ask a model.',
    zh: '用自己的账户登录，或连接本地服务器，即可询问模型。',
  },
  {
    command: 'samples.open',
    title: ['Open Sample Workspace', '打开示例工作区'],
    en: 'The sample workspace shows what works without a model.',
    zh: '示例工作区展示没有模型也能使用的功能。',
  },
  {
    command: 'batchFile.new',
    title: ['New Batch File…', '新建批量文件…'],
    en: 'You can try a batch with the demo service.',
    zh: '可以用演示服务试试批量任务。',
  },
  {
    command: 'images.open',
    title: ['Generate Images', '生成图片'],
    en: 'You can try the images page. The demo service draws simple pictures.',
    zh: '可以试试图片页面，演示服务会画简单的图。',
  },
];

/** Returns one next step, another one for each question of a conversation. */
export function nextStep({ earlier, say }: Question): string {
  const step = nextSteps[earlier.length % nextSteps.length] ?? nextSteps[0];
  return step === undefined ? '' : `${say(step.en, step.zh)}\n\n${button(step.command, say(...step.title))}`;
}

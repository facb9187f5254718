import { chatHelp, type HowTo } from './chatHelp';
import type { Question } from './question';

/** A Markdown link to a command of the extension, which shows it as a button. */
const button = (command: string, title: string): string => `[${title}](command:inferenceDesk.${command})`;

/** Names the commands instead, for answers that are read elsewhere. */
export function withoutButtons(text: string): string {
  return text.replaceAll(/\[([^\]]+)\]\(command:[^)]*\)/g, '**$1**');
}

/** How to do what the product does, most specific first. */
const howTos: readonly HowTo[] = [
  ...chatHelp,
  {
    pattern:
      /\b(?:turn|switch)(?:ing)? off\b[^.?]*\b(?:inline suggestions?|ghost ?text|autocomplet\w+)\b|\b(?:disable|hide|stop|snooze|pause)\b[^.?]*\b(?:inline suggestions?|ghost ?text|autocomplet\w+)\b|(?:关闭|关掉|禁用|停用|暂停)[^。？]{0,4}(?:(?:内联|行内)(?:建议|补全)|自动补全)/i,
    en: 'Run **Toggle Inline Suggestions** in the Command Palette. The setting `inferenceDesk.ghostText.languages` turns them off for one language only.',
    zh: '在命令面板中运行**切换内联建议**。设置 `inferenceDesk.ghostText.languages` 可只针对某种语言关闭。',
  },
  {
    pattern:
      /\bbatch(?:es)?\b[^.?]*\b(?:stuck|hang(?:s|ing)?|validating|pending|not start(?:ed|ing)?|still)\b|批量[^。？]*(?:卡住|验证中|排队|一直|不动)/i,
    en: 'The service checks the file first, and decides when the batch starts. Most batches complete within 24 hours. Choose **Refresh Status** on its row in the **Batches** view. A rejected file is shown there with the reason.',
    zh: '服务会先检查文件，再决定何时开始，多数批量任务在 24 小时内完成。在**批量任务**视图的对应行上选择**刷新状态**。文件被拒绝时，那里会显示原因。',
  },
  {
    pattern:
      /\bdefault models?\b|\bmodels?\b[^.?]*\b(?:as|by|the) (?:the )?default\b|默认(?:使用)?[^。？]{0,3}模型|模型[^。？]{0,6}默认/i,
    command: 'models.search',
    title: ['Search Models…', '搜索模型…'],
    en: 'In the **Models** view, open the context menu of a model and choose **Set as Default Model…**.',
    zh: '在**模型**视图中，打开模型的上下文菜单，选择**设为默认模型…**。',
  },
  {
    pattern: /\b(?:un)?pin(?:ned)?\b[^.?]*\bmodels?\b|\bmodels?\b[^.?]*\bpin(?:ned)?\b|(?:固定|置顶)[^。？]{0,6}模型/i,
    command: 'models.search',
    title: ['Search Models…', '搜索模型…'],
    en: 'In the **Models** view, point at a model and choose **Pin**. Pinned models are listed first.',
    zh: '在**模型**视图中，将指针移到模型上，选择**固定**。固定的模型排在最前。',
  },
  {
    pattern:
      /\bwhere\b[^.?]*\b(?:images?|pictures?|videos?|clips?)\b[^.?]*\b(?:saved?|stored?|kept|end up)\b|(?:图片|图像|视频)[^。？]{0,6}(?:保存|存)[^。？]{0,3}(?:哪|什么(?:地方|位置|文件夹))/i,
    command: 'images.open',
    title: ['Generate Images', '生成图片'],
    en: 'Every image and video is saved automatically with its prompt, model, and seed. The gallery lists them all. Use a file’s context menu to open its folder.',
    zh: '每张图片和每个视频都会连同提示词、模型和种子自动保存。图库列出全部文件，可用上下文菜单打开所在文件夹。',
  },
  {
    pattern:
      /\b(?:token|daily) budget\b|\bbudget\b[^.?]*\btokens?\b|\btokens?\b[^.?]*\bbudget\b|(?:每日|每天)[^。？]{0,4}(?:token|令牌)/i,
    command: 'activity.open',
    title: ['Open Activity and Spend', '打开活动与支出'],
    en: 'The setting `inferenceDesk.chat.dailyTokenBudget` limits the tokens per day and account. Input and output of chat and inline suggestions count. `0` disables the limit.',
    zh: '设置 `inferenceDesk.chat.dailyTokenBudget` 限制每个账户每天的 Token 数，聊天和内联建议的输入和输出都计入。设为 `0` 表示不限制。',
  },
  {
    pattern:
      /\b(?:batch(?:es)?|videos?)\b[^.?]*\b(?:restart|reload|clos(?:e|ing)|quit)\b|\b(?:restart|reload|clos(?:e|ing)|quit)\b[^.?]*\b(?:batch(?:es)?|videos?)\b|(?:批量|视频)[^。？]{0,8}(?:重启|关闭)|(?:重启|关闭)[^。？]{0,10}(?:批量|视频)/i,
    command: 'activity.open',
    title: ['Open Activity and Spend', '打开活动与支出'],
    en: 'Batches and videos keep running at the service when you close VS Code. After a restart, Inference Desk tracks them again and downloads what’s ready.',
    zh: '关闭 VS Code 后，批量任务和视频仍在服务端运行。重启后，Inference Desk 会继续跟踪，并下载已完成的内容。',
  },
  {
    pattern:
      /\bmodels?\b[^.?]*\b(?:not (?:in the list|listed)|isn['’]t (?:listed|in the list)|missing|unlisted)\b|\badd (?:a |my )?(?:custom|own|other) models?\b|模型[^。？]{0,4}(?:不在|没有?在?)[^。？]{0,3}列表|(?:添加|自定义)[^。？]{0,4}模型/i,
    en: 'Open the model list under the question and type the model’s ID. An ID that isn’t listed is offered below the matches.',
    zh: '打开问题下方的模型列表，输入模型 ID。不在列表中的 ID 会显示在匹配项下方。',
  },
  {
    pattern:
      /\b(?:recordings?|audio(?: files?)?)\b[^.?]*\b(?:too (?:long|large|big)|limit)\b|(?:录音|音频)[^。？]{0,4}(?:太长|太大|超过)/i,
    command: 'voices.transcribe',
    title: ['Transcribe Audio…', '转写音频…'],
    en: 'Services limit the size of a recording. Shorten it, or save it in a smaller format such as MP3.',
    zh: '服务会限制录音的大小。请缩短录音，或保存为更小的格式，例如 MP3。',
  },
  {
    pattern: /\b(?:cancel|stop|abort)\b[^.?]*\bbatch|取消[^。？]{0,4}批量|停止[^。？]{0,4}批量/i,
    en: 'Choose **Cancel Batch…** on its row in the **Batches** view. Responses that are complete by then are kept.',
    zh: '在**批量任务**视图的对应行上选择**取消批量任务…**。届时已完成的回答会保留。',
  },
  {
    pattern:
      /\bcompar(?:e|ing)\b[^.?]*\b(?:batch )?(?:runs|results)\b|(?:比较|对比)(?:两|几|多|不同)?次?(?:批量任务)?的?(?:运行|结果)/i,
    en: 'Choose **Compare Runs…** on the results page of a batch. Rows with different answers come first, and a column shows what changed.',
    zh: '在批量任务的结果页上选择**比较运行…**。回答不同的行排在最前，并有一列显示变化。',
  },
  {
    pattern:
      /\b(?:results?|output)\b[^.?]*\bbatch|\bresults\b[^.?]*\b(?:csv|excel|spreadsheet)\b|\bexport\b[^.?]*\bresults\b|结果[^。？]{0,4}导出|导出[^。？]{0,4}结果|\bbatch(?:es)?\b[^.?]*\b(?:results?|output)\b|批量[^。？]{0,6}(?:结果|输出)/i,
    en: 'Results are downloaded when a batch has ended. Open them with **Open Batch Results…** on its row in the **Batches** view. There you can filter, search, and export them, for example as CSV.',
    zh: '批量任务结束后会自动下载结果。在**批量任务**视图的对应行上选择**打开批量任务结果…**，可在结果页筛选、搜索和导出（例如导出为 CSV）。',
  },
  {
    pattern:
      /\bbatch\b[^.?]*\b(?:fails?|failed|errors?|expire[sd]?)\b|\b(?:failed|expired) batch|批量[^。？]{0,6}(?:失败|出错|过期)/i,
    command: 'batches.retryFailed',
    title: ['Retry Failed Requests…', '重试失败的请求…'],
    en: 'The results page lists the failed requests with their reasons. Fix the cause, and retry only these: their answers are merged into the same results.',
    zh: '结果页会列出失败的请求及原因。解决问题后，只需重试这些请求，新的回答会合并到同一份结果中。',
  },
  {
    pattern:
      /^(?!.*\b(?:css|html|python|photoshop)\b).*(?:\bimages? (?:sizes?|dimensions?|resolutions?)\b|\b(?:size|resolution)\b[^.?]*\bimages?\b)|图片[^。？]{0,4}(?:尺寸|大小|分辨率)/i,
    command: 'images.open',
    title: ['Generate Images', '生成图片'],
    en: 'Choose a size on the images page. The sizes depend on the model.',
    zh: '在图片页上选择尺寸。可用的尺寸取决于模型。',
  },
  {
    pattern:
      /\b(?:how much|costs?|prices?|estimate|expensive|cheap(?:er)?)\b[^.?]*\bbatch|\bbatch(?:es)?\b[^.?]*\b(?:costs?|prices?|expensive|cheap(?:er)?)\b|批量[^。？]*(?:多少钱|价格|费用|便宜|收费)|(?:多少钱|价格|费用)[^。？]*批量/i,
    command: 'batchFile.new',
    title: ['New Batch File…', '新建批量文件…'],
    en: '**Submit Batch…** above the first line shows the number of requests and tokens, and the price if it’s known, before anything is sent. The demo service costs nothing.',
    zh: '第一行上方的**提交批量任务…**会在发送前显示请求数、Token 数和已知的价格。演示服务不收费。',
  },
  {
    pattern:
      /\b(?:spending|daily|cost|money|spend)\b[^.?]*\b(?:cap|limit)\b|\b(?:cap|limit)\b[^.?]*\b(?:spending|spend|costs?|money)\b|(?:支出|花费|消费|费用)[^。？]{0,4}(?:上限|限额|限制)|限制[^。？]{0,4}(?:支出|花费|消费)/i,
    command: 'activity.open',
    title: ['Open Activity and Spend', '打开活动与支出'],
    en: 'Choose **Set Cap…** on the page Activity and Spend. When a day’s spending reaches the cap, Inference Desk sends no more paid requests on that day.',
    zh: '在“活动与支出”页上选择**设置上限…**。当天支出达到上限后，Inference Desk 当天不再发送付费请求。',
  },
  {
    pattern:
      /\b(?:sign|log)(?:ging|ing)? ?(?:me )?out\b|\b(?:switch|change|another|second|multiple|several|remove|delete|manage)\b[^.?]*\baccounts?\b|退出登录|登出|注销|(?:切换|更换|管理|多个|删除)[^。？]{0,4}(?:账户|账号|帐号)/i,
    command: 'manageAccounts',
    title: ['Manage Accounts…', '管理账户…'],
    en: 'Switch accounts, sign out, or change a key there. You can have several accounts, also at different services.',
    zh: '可以在那里切换账户、退出登录或更改密钥。可以有多个账户，也可以属于不同的服务。',
  },
  {
    pattern:
      /\b(?:how|run|start|create|make|write|try)\b[^.?]*\bevals?\b|\bevals?\b[^.?]*\b(?:how|run|start)\b|(?:如何|怎么|怎样|运行|创建|新建)[^。？]*评测/i,
    command: 'samples.open',
    title: ['Open Sample Workspace', '打开示例工作区'],
    en: 'Open `promptfooconfig.yaml` of the sample workspace, and choose **Smoke Test** or **Run Eval…** above its first line. The page of results shows which prompt is better.',
    zh: '打开示例工作区中的 `promptfooconfig.yaml`，选择第一行上方的**冒烟测试**或**运行评测…**。结果页会显示哪条提示词更好。',
  },
  {
    pattern:
      /\b(?:retry|resend|rerun|redo|repeat)\b.*\b(?:batch|failed (?:requests?|lines|rows))\b|重试.*(?:批量|失败的请求)/i,
    command: 'batches.retryFailed',
    title: ['Retry Failed Requests…', '重试失败的请求…'],
    en: 'When a batch has ended, retry the failed requests from its row in the **Batches** view or from its results page. The new answers are merged into the same results.',
    zh: '批量任务结束后，在**批量任务**视图中的对应行或结果页上重试失败的请求。新的回答会合并到同一份结果中。',
  },
  {
    pattern:
      /^\W*(?:how|what|can|which)\b[^.?]*\b(?:label|classify|translate|process|summari[sz]e|send)\b[^.?]*\b(?:\d[\d,.]*00k?|thousands?|hundreds|many|a lot)\b|\bsame prompt\b[^.?]*\b(?:rows|texts|lines)\b|\b(?:csv|spreadsheet|table|rows)\b.*\bbatch|\bbatch\b.*\b(?:csv|spreadsheet|table|rows)\b|(?:csv|表格).*批量|批量.*(?:csv|表格)/i,
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
      /\b(?:generate|create|make|draw|paint|edit)\b[^.?]*\b(?:images?|pictures?|photos?|drawings?|logos?|icons?)\b(?! (?:classif|recogni|element|tag|component))|^\W*(?:draw|paint)\b|(?:生成|画|绘制|编辑)[^。？]*(?:图|画|照片)|(?:能|可以|帮我|请)画(?!面)/i,
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
    pattern: /\btranscri(?:be|pt)\b|\bspeech to text\b|转写|(?:语音|录音|音频)转(?:成|为|换为)?文[字本]/i,
    command: 'voices.transcribe',
    title: ['Transcribe Audio…', '转写音频…'],
    en: 'Choose an audio file, and its text opens in a new editor.',
    zh: '选择音频文件，转写的文本会在新的编辑器中打开。',
  },
  {
    pattern:
      /\b(?:clone|upload|add|create|use)\b[^.?]*\bvoices?\b|\b(?:generate|make|create)\b[^.?]*\b(?:speech|audio)\b|\btext to speech\b|\bread\b[^.?]{0,20}\baloud\b|\b(?:what|which|list|are there)\b[^.?]*\bvoices\b|(?:上传|克隆|添加|有哪些).*(?:音色|声音)|语音合成|生成语音|朗读|(?:文字|文本)转语音/i,
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
    title: ['Semantic Search…', '语义搜索…'],
    en: 'Semantic search finds passages in your workspace that match a question, even if they use other words.',
    zh: '语义搜索会在工作区中找出与问题意思相符的段落，即使用词不同。',
  },
  {
    pattern:
      /\binline suggestions?\b|\bghost ?text\b|\bautocomplet(?:e|ion)\b|\btab completion\b|(?:内联|行内)(?:建议|补全)|自动补全/i,
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
    pattern:
      /\b(?:vs ?code(?:'s|’s)?|copilot|agent)(?: own)? chat\b|\b(?:copilot|agent mode)\b|VS ?Code.*聊天|copilot|智能体模式/i,
    command: 'editorChat.open',
    title: ['Use in VS Code Chat…', '用于 VS Code 聊天…'],
    en: 'This chat talks to the models of your own account. The same models also work in VS Code’s own chat and agent, without a GitHub account. Choose them on one page.',
    zh: '这个聊天使用你自己账户的模型。同样的模型也能用于 VS Code 自带的聊天和智能体，不需要 GitHub 账户。在一个页面上即可选择。',
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
      /\b(?:export|share)\b.*\b(?:conversation|chat)\b|\bsave (?:this|the|my) (?:conversation|chat)\b|(?:导出|分享|发送?给)[^。？]*(?:对话|聊天)|(?:对话|聊天)[^。？]{0,4}(?:导出|分享|发送?给)/i,
    command: 'chat.export',
    title: ['Export Conversation…', '导出对话…'],
    en: 'Export the conversation as Markdown or JSON. Conversations are also kept in the history of the chat.',
    zh: '可以把对话导出为 Markdown 或 JSON。对话也会保留在聊天的历史记录中。',
  },
  {
    pattern:
      /\bhow much\b.*\b(?:cost|spen[dt]|money)\b|\bwhat (?:does|do|did) (?:it|this|that|you|I)\b.*\b(?:cost|spen[dt])\b|\b(?:my )?(?:spending|balance|budget|spending cap)\b|\bis (?:this|it|the demo|everything)\b[^.?]*\bfree\b|\b(?:have|need|must i) to pay\b|\b(?:does|do|will|is|are)\b[^.?]*\b(?:costs? (?:money|anything|extra)|charged)\b|\bfree (?:of charge|to use|tier|version)\b|\b(?:does|will) (?:this|it) cost\b|\b(?:estimate|know|see|check)\b[^.?]*\b(?:costs?|prices?)\b|花了多少|多少钱|收费|免费|要钱|付费|花钱|余额|支出|价格/i,
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
    pattern: /\b(?:stop|remove|disable|turn off|quit|leave|get rid of)\b.*\bdemo\b|(?:停止|关闭|退出).*演示/i,
    command: 'demo.stop',
    title: ['Stop Demo Service', '停止演示服务'],
    en: 'The demo service runs on this machine until you stop it.',
    zh: '演示服务在本机运行，直到你停止它。',
  },
  {
    pattern:
      /\bsamples?\b(?! rate| size| text)|\bexample files?\b|\btry (?:it|this) out\b|示例(?:文件|工作区)|(?:运行|打开|试)[^。？]{0,2}示例/i,
    command: 'samples.open',
    title: ['Open Sample Workspace', '打开示例工作区'],
    en: 'The sample workspace has batch files, a table, a list to rerank, and a prompt file. They all work with the demo service.',
    zh: '示例工作区包含批量文件、表格、用于重排序的列表和提示词文件，都可以用演示服务运行。',
  },
  {
    pattern:
      /\b(?:sign|log) in\b|^\W*(?:how (?:do|can) I )?login\W*$|\bapi ?keys?\b|\b(?:my|the) key\b|\b(?:which|what) (?:service|provider)s?\b|\b(?:use|add|connect|set ?up|run|works? with|supports?|compatible with)\b.*\b(?:account|service|provider|openai|azure|bedrock|vertex|together|fireworks|nvidia|hugging ?face|grok|anthropic|claude|gpt|gemini|siliconflow|ollama|lm ?studio|llama(?:\.cpp)?|vllm|openrouter|groq|mistral|kimi|qwen|deepseek|local (?:model|server)|real model)\b|登录|密钥|(?:添加|连接|接入|使用|用|换成|改用|切换到|支持)[^。？]*(?:账户|服务商|云端服务|硅基流动|通义|本地模型|deepseek|ollama|openai|claude|kimi|qwen|siliconflow)|哪(?:个|些)服务/i,
    command: 'signIn',
    title: ['Sign In…', '登录…'],
    en: 'Sign in with the API key of your service. The key is stored in VS Code’s secret storage and is sent only to that service. Local servers such as Ollama or llama.cpp need no key.',
    zh: '使用服务的 API 密钥登录。密钥存储在 VS Code 的机密存储中，只会发送到该服务。Ollama、llama.cpp 等本地服务器不需要密钥。',
  },
];

/** A request to work on code of which nothing is attached. */
const asksForTask =
  /^\W*(?:(?:please|can you|could you|help me) )*(?:(?:explain|fix|review|refactor|document|debug|summari[sz]e|improve|optimi[sz]e)\b.{0,40}\b(?:code|selection|selected|functions?|files?|class|errors?|bugs?|problems?|changes?|diff|this|it|script|project|repo(?:sitory)?)|(?:write|add|create|generate)\b.{0,20}\b(?:unit tests?|tests? for|commit message|docstrings?|documentation)|find (?:the |a |any )?(?:bugs?|errors?))\b.{0,40}$|^\s*(?:请|帮我|请帮我)?(?:(?:解释|修复|修改|审查|检查|重构|优化|总结)[^。？]{0,8}(?:代码|函数|文件|错误|问题|更改|项目)|(?:写|添加|生成)[^。？]{0,6}(?:单元测试|测试|提交信息|提交消息|注释))[^。？]{0,10}\W*$/iu;
const asksForEdit =
  /\b(?:can|could|will|do) you (?:\w+ )?(?:edit|change|write|fix|modify|refactor)\b.*\b(?:code|files?|project|program|app)\b|(?:能|可以|会)[^。？]{0,4}(?:改|修改|编辑|重构|写)[^。？]{0,6}(?:代码|文件|程序)/i;
const complains =
  /\bwhy\b(?=.*\b(?:you|it|this|the (?:answers?|demo|responses?))\b)(?=.*(?:n['’]t\b|\b(?:not|nothing|short|same|bad|stupid)\b)).{0,80}$|\b(?:useless|stupid|dumb|nonsense)\b|\byou (?:(?:did|do|can|could)(?:n['’]t| not)|never) (?:\w+ )?(?:answer|understand|know|help)|^\W*why\W*$|^\W*(?:no,? )?(?:that|this|it|(?:the|your) (?:answer|response))(?:['’]s| is) (?:wrong|not (?:right|true|correct))\b.{0,40}$|^[\s，。！]*(?:(?:这|那|回答)?(?:不对|错了|不正确))[\s，。！了吧]*$|你?为什么[^。？]*(?:不|没)[^。？]*(?:回答|知道|懂|说)|为什么[^。？]*(?:一样|相同)|没用|答非所问|你[^。？]{0,2}(?:不懂|真笨|没回答)/i;

/** What a question is about besides its subject: an entry that says nothing on it doesn't answer the question. */
const aspects: readonly { readonly asks: RegExp; readonly tells: RegExp }[] = [
  {
    asks: /\b(?:turn|switch)(?:ing)? off\b|\bdisable\b|\bhide\b|\bget rid of\b|(?:怎么|如何|怎样|想|可以|能)[^。？]{0,4}(?:关闭|关掉|禁用|停用|隐藏)/i,
    tells: /\boff\b|\bdisable|\bstop|\bremove|\bclear\b/i,
  },
  {
    asks: /\b(?:costs?|charged?|money)\b|(?:花|收|要)钱|收费|费用/i,
    tells: /\b(?:costs?|price|spend(?:ing)?|paid|credit|limits)\b/i,
  },
  {
    asks: /\bhow long\b[^.?]*\b(?:kept|stored|available)\b|(?:保存|保留)[^。？]{0,3}多(?:久|长时间)/i,
    tells: /\b(?:kept|days|stored)\b/i,
  },
  { asks: /\bhow long (?:does|do|will)\b|要?多(?:久|长时间)/i, tells: /\b(?:hours?|minutes?|seconds|kept|days)\b/i },
];

/** Explains how to do something with the product, with a button if a command does it; `undefined` for any other question. */
export function answerHowTo(question: Question): string | undefined {
  const { ask, material, images, openFile, say } = question;
  if (material !== '' || images > 0 || ask.length > 300) return undefined;
  const found = howTos.find(
    ({ pattern, en }) => pattern.test(ask) && aspects.every(({ asks, tells }) => !asks.test(ask) || tells.test(en)),
  );
  if (found !== undefined) {
    const { command, title } = found;
    const text = say(found.en, found.zh);
    return command === undefined || title === undefined ? text : `${text}\n\n${button(command, say(...title))}`;
  }
  if (complains.test(ask)) {
    const reason = say(
      'The demo service has no model, so it only knows prepared answers and a few rules. A model answers any question.',
      '演示服务没有模型，只有准备好的回答和一些规则。模型可以回答任何问题。',
    );
    return `${reason}\n\n${nextStep(question)}`;
  }
  if (asksForEdit.test(ask)) {
    const how = say(
      'With a model, yes: choose **Apply** on a code block of its answer. Each change is shown in your file with **Keep** and **Undo**. The demo service has no model and only renames names in attached code.',
      '使用模型时可以：在回答的代码块上选择**应用**，每处更改都会显示在文件中，可以**保留**或**撤消**。演示服务没有模型，只能在附加的代码中重命名。',
    );
    return `${how}\n\n${button('signIn', say('Sign In…', '登录…'))}`;
  }
  if (openFile !== '' || !asksForTask.test(ask)) return undefined;
  const how = say(
    'No code is attached, and the demo service has no model. To ask a model, select code and type `/explain`, `/fix`, or `/tests`. For your changes, type `/review` or `/commit`.',
    '没有附加代码，演示服务也没有模型。要询问模型，请选定代码并输入 `/explain`、`/fix` 或 `/tests`。对于你的更改，输入 `/review` 或 `/commit`。',
  );
  return `${how}\n\n${button('chat.attach', say('Add Context to Chat…', '将上下文添加到聊天…'))}`;
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
  {
    command: 'rerank.open',
    title: ['Rerank…', '重排序…'],
    en: 'You can sort a list by relevance. The demo service ranks by shared words.',
    zh: '可以按相关性给列表排序，演示服务按共同的词语排序。',
  },
  {
    command: 'prompts.new',
    title: ['New Prompt File', '新建提示词文件'],
    en: 'Keep the question as a prompt file, and run it later with a model.',
    zh: '可以把问题保存为提示词文件，以后用模型运行。',
  },
  {
    command: 'getStarted',
    title: ['Get Started', '入门'],
    en: 'The guide shows one feature after the other.',
    zh: '入门指引逐一介绍各项功能。',
  },
  {
    command: 'editorChat.open',
    title: ['Use in VS Code Chat…', '用于 VS Code 聊天…'],
    en: 'The models of your account also work in VS Code’s own chat.',
    zh: '你账户的模型也能用于 VS Code 自带的聊天。',
  },
];

/** Returns one next step, another one for each question of a conversation. */
export function nextStep({ earlier, say }: Question): string {
  const step = nextSteps[earlier.length % nextSteps.length] ?? nextSteps[0];
  return step === undefined ? '' : `${say(step.en, step.zh)}\n\n${button(step.command, say(...step.title))}`;
}

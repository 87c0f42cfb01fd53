/** Words of the screens before one is signed in: set-up, sign-in, links by email, a new password. */
import type { Part } from './part.ts';

const en = {
  tagline: 'See how people use your product.',
  taglineMore: 'Your data stays on your server.',
  needsScript: 'Sign-in requires JavaScript. Turn it on and reload the page.',
  otherLanguage: 'Português (Brasil)',

  email: 'Email',
  password: 'Password',
  newPassword: 'New password',
  passwordHint: 'At least 8 characters. A phrase of several words works well.',

  signIn: {
    title: 'Sign in',
    lead: 'Use the email address you were invited with.',
    submit: 'Sign in',
    busy: 'Signing in…',
    forgot: 'Forgot your password?',
    or: 'or',
    link: 'Email me a sign-in link',
    linkBusy: 'Sending…',
    with: (name: string) => `Continue with ${name}`,
    withBusy: (name: string) => `Redirecting to ${name}…`,
    hosted: (host: string) => `Sign in with ${host}`,
    hostedTitle: (host: string) => `Sign in with ${host}`,
    hostedLead: 'Your password is only checked by that service. Luneta doesn’t store it.',
    own: 'Sign in with your Luneta password',
    connect: 'Connect',
    connecting: 'Connecting…',
    toAccount: 'Back to account',
  },

  sent: {
    title: 'Check your email',
    link: (email: string) =>
      `If ${email} has an account, we’ve sent a sign-in link. It expires in 10 minutes and works once.`,
    reset: (email: string) =>
      `If ${email} has an account, we’ve sent a password reset link. It expires in 1 hour and works once.`,
    nothing: 'No email after a few minutes? Check your spam folder or ask your administrator.',
    back: 'Back to sign-in',
  },

  forgot: {
    title: 'Forgot your password?',
    lead: 'We’ll email you a link to reset it.',
    submit: 'Send reset link',
    busy: 'Sending…',
    noMail: 'Email isn’t set up on this server, so we can’t send you a link.',
    noMailOwner: 'Request a link here. A team owner or your administrator can then copy it from the Email screen.',
    noMailCommand: 'Server administrator? Run this command to create a link for an owner:',
    ask: 'Request reset link',
    askedTitle: 'Reset link created',
    terminal: 'On the server',
    asked: (email: string) =>
      `If ${email} has an account, a team owner or your administrator can now copy a reset link from the Email screen for you. It expires in 1 hour and works once.`,
  },

  link: {
    title: 'Sign in',
    lead: (email: string) => `Continue as ${email}.`,
    submit: 'Sign in',
    busy: 'Signing in…',
  },

  reset: {
    title: 'Reset your password',
    lead: (email: string) => `For ${email}. You’ll be signed out on all devices.`,
    submit: 'Save and sign in',
    busy: 'Saving…',
  },

  confirm: {
    title: 'Verify your email address',
    lead: (email: string) => `Is ${email} your address?`,
    submit: 'Verify address',
    busy: 'Verifying…',
    done: 'Address verified',
    doneText: (email: string) => `${email} is verified.`,
    on: 'Continue',
  },

  dead: {
    title: 'This link is no longer valid',
    text: 'It was used, has expired or was replaced by a newer one.',
    again: 'Request a new link',
    confirmAgain: 'Sign in and request a new link in your account.',
  },

  setUp: {
    title: 'Set up Luneta',
    lead: 'Create the first account. It becomes the administrator of this server.',
    name: 'Your name',
    team: 'Team name',
    teamHint: 'Your company or group. You can invite people later.',
    project: 'First project',
    projectHint: 'A website, app or product.',
    language: 'Language',
    timeZone: 'Time zone',
    timeZoneHint: 'Sets when each day starts in your first project.',
    token: 'Setup token',
    tokenHint: 'You’ll find it in the server log.',
    submit: 'Create account',
    busy: 'Creating…',
  },

  errors: {
    email: 'Invalid email address. Use the format name@example.com.',
    emailNeeded: 'Enter your email address first.',
    password: 'Enter your password.',
    match: 'Incorrect email or password.',
    short: 'Too short. Use at least 8 characters.',
    long: 'Too long. Use at most 128 characters.',
    common: 'This password is too common. Try a phrase of several words.',
    name: 'Enter a name of up to 100 characters, without line breaks.',
    timeZone: 'Unknown time zone. Choose one from the list.',
    token: 'Invalid setup token. Copy it from the latest lines of the server log.',
    taken: 'Luneta is already set up on this server.',
    wait: (seconds: string) => `Too many attempts. Try again in ${seconds} s or reset your password.`,
  },

  problems: {
    denied: 'Sign-in canceled at the other service. Nothing was changed.',
    failed: 'Sign-in couldn’t be verified. Try again.',
    unknown:
      'This account isn’t connected to a Luneta user. If you were invited, sign in with your password or an email link and connect it in your account. Otherwise, ask a team owner for an invitation.',
    taken: 'This account is already connected to another user.',
    away: 'The sign-in service isn’t responding. Try again or use your password.',
  } as Record<string, string>,
};

const ptBR: typeof en = {
  tagline: 'Veja como as pessoas usam o seu produto.',
  taglineMore: 'Os dados ficam no seu servidor.',
  needsScript: 'Ative o JavaScript e recarregue a página para entrar.',
  otherLanguage: 'English',

  email: 'E-mail',
  password: 'Senha',
  newPassword: 'Nova senha',
  passwordHint: 'Mínimo de 8 caracteres. Uma frase curta funciona bem.',

  signIn: {
    title: 'Entrar',
    lead: 'Use o e-mail do convite.',
    submit: 'Entrar',
    busy: 'Entrando…',
    forgot: 'Esqueci minha senha',
    or: 'ou',
    link: 'Receber link por e-mail',
    linkBusy: 'Enviando…',
    with: (name) => `Continuar com ${name}`,
    withBusy: (name) => `Abrindo ${name}…`,
    hosted: (host) => `Entrar com sua conta em ${host}`,
    hostedTitle: (host) => `Sua conta em ${host}`,
    hostedLead: 'A senha é usada só para verificação nesse serviço. A Luneta não a armazena.',
    own: 'Entrar com senha da Luneta',
    connect: 'Conectar',
    connecting: 'Conectando…',
    toAccount: 'Voltar para a sua conta',
  },

  sent: {
    title: 'Confira seu e-mail',
    link: (email) =>
      `Se houver uma conta com ${email}, você vai receber um link para entrar. Ele é válido por 10 minutos e só pode ser usado uma vez.`,
    reset: (email) =>
      `Se houver uma conta com ${email}, você vai receber um link para criar uma nova senha. Ele é válido por 1 hora e só pode ser usado uma vez.`,
    nothing: 'Não recebeu em alguns minutos? Veja a caixa de spam ou fale com o administrador deste servidor.',
    back: 'Voltar para o login',
  },

  forgot: {
    title: 'Esqueceu sua senha?',
    lead: 'Vamos enviar um link para você criar outra.',
    submit: 'Enviar link',
    busy: 'Enviando…',
    noMail: 'O envio de e-mails não está configurado neste servidor.',
    noMailOwner:
      'Peça um link aqui. Um proprietário da equipe ou o administrador deste servidor poderá copiá-lo na tela E-mails.',
    noMailCommand: 'Você administra este servidor? Gere um link para um proprietário com este comando:',
    ask: 'Pedir link',
    askedTitle: 'Pedido registrado',
    terminal: 'No servidor',
    asked: (email) =>
      `Se houver uma conta com ${email}, um proprietário da equipe ou o administrador deste servidor já pode copiar o link na tela E-mails e enviar a você. Ele é válido por 1 hora e só pode ser usado uma vez.`,
  },

  link: {
    title: 'Entrar',
    lead: (email) => `Entrar como ${email}.`,
    submit: 'Entrar',
    busy: 'Entrando…',
  },

  reset: {
    title: 'Crie uma nova senha',
    lead: (email) => `Para ${email}. Você vai sair de todos os dispositivos conectados.`,
    submit: 'Salvar e entrar',
    busy: 'Salvando…',
  },

  confirm: {
    title: 'Confirme seu e-mail',
    lead: (email) => `${email} é seu?`,
    submit: 'Confirmar e-mail',
    busy: 'Confirmando…',
    done: 'E-mail confirmado',
    doneText: (email) => `${email} foi confirmado.`,
    on: 'Continuar',
  },

  dead: {
    title: 'Link inválido ou expirado',
    text: 'Ele já foi usado, expirou ou foi substituído por um mais novo.',
    again: 'Pedir novo link',
    confirmAgain: 'Entre e peça outro link em Sua conta.',
  },

  setUp: {
    title: 'Configurar a Luneta',
    lead: 'Crie a primeira conta. Ela vai administrar esta instalação.',
    name: 'Seu nome',
    team: 'Equipe',
    teamHint: 'As pessoas que trabalham com você. Convide-as depois.',
    project: 'Primeiro projeto',
    projectHint: 'Um produto, site ou app.',
    language: 'Idioma',
    timeZone: 'Fuso horário',
    timeZoneHint: 'Define quando começa o dia no primeiro projeto.',
    token: 'Token de configuração',
    tokenHint: 'Está no log do servidor.',
    submit: 'Criar conta',
    busy: 'Criando…',
  },

  errors: {
    email: 'E-mail inválido. Use o formato nome@exemplo.com.br.',
    emailNeeded: 'Digite seu e-mail.',
    password: 'Digite sua senha.',
    match: 'E-mail ou senha incorretos. Confira e tente de novo.',
    short: 'Senha curta demais. Use pelo menos 8 caracteres.',
    long: 'Senha longa demais. Use até 128 caracteres.',
    common: 'Esta senha é fácil de adivinhar. Escolha outra, como uma frase curta.',
    name: 'Digite um nome de até 100 caracteres.',
    timeZone: 'Fuso horário inválido. Escolha um da lista.',
    token: 'Token incorreto. Copie-o das últimas linhas do log.',
    taken: 'Esta instalação já foi configurada.',
    wait: (seconds) => `Muitas tentativas. Tente de novo em ${seconds} s ou redefina a senha.`,
  },

  problems: {
    denied: 'Login cancelado no outro serviço. Nada foi alterado.',
    failed: 'Não foi possível verificar o login. Tente de novo.',
    unknown:
      'Esta conta não está conectada a nenhum usuário. Recebeu um convite? Entre com senha ou link e conecte-a em Sua conta. Se não, peça um convite a um proprietário.',
    taken: 'Esta conta já está conectada a outra pessoa.',
    away: 'O outro serviço não está respondendo. Tente de novo ou entre com a senha.',
  },
};

export const signInWords: Part<typeof en> = { en, 'pt-BR': ptBR };

-- Cases of notifiable diseases, their history and their attachments.

create table tipos_agravo (
  codigo text constraint tipos_agravo__pk primary key,
  nome text not null,
  cid10_codes text[] not null,
  descricao text not null,
  notificacao_obrigatoria boolean not null,
  ordem smallint not null
);

-- Fields that are queried have a column; fields that are only shown are in `dados`, keyed by the last part of their name,
-- without nulls; identifying fields are in `sigilo` only, encrypted under a key that is not in the database.
create table casos (
  id integer generated always as identity constraint casos__pk primary key,
  tipo_agravo text not null
    constraint casos__tipo_agravo__known check (tipo_agravo in ('dengue', 'zika', 'chikungunya')),
  numero_notificacao text not null,
  data_notificacao date not null,
  data_inicio_sintomas date,
  paciente_iniciais text,
  paciente_idade smallint,
  paciente_sexo text,
  paciente_gestante boolean,
  paciente_raca text,
  paciente_escolaridade text,
  paciente_ocupacao text,
  municipio_residencia integer,
  estado_residencia text,
  bairro_residencia text,
  zona_residencia text,
  -- The first five digits of the postal code, a part of a town; and a key for the whole, the same for equal ones, with
  -- no way back. The map groups by them.
  cep_setor text,
  cep_chave bytea,
  -- Rounded to a hundredth of a degree (about a kilometre); the exact point is in `sigilo`.
  latitude_aproximada real,
  longitude_aproximada real,
  municipio_infeccao integer,
  estado_infeccao text,
  pais_infeccao text,
  classificacao_inicial text,
  classificacao_final text,
  criterio_confirmacao text,
  evolucao text,
  data_obito date,
  data_encerramento date,
  data_investigacao date,
  hospitalizacao boolean,
  data_internacao date,
  uti boolean,
  status text not null
    constraint casos__status__known check (status in ('em_investigacao', 'encerrado')),
  unidade_cnes text,
  -- Fields that are shown and never queried: `json` is printed as it was written, where `jsonb` is parsed and put together again.
  dados json not null default '{}',
  sigilo bytea,
  -- The name stays when the account is gone.
  criado_por_id integer,
  criado_por_nome text,
  responsavel_id integer
    constraint casos__responsavel_id__exists references usuarios on delete set null,
  criado_em timestamptz not null,
  atualizado_em timestamptz not null,
  versao integer not null default 1,
  excluido_em timestamptz,
  excluido_por_id integer,
  excluido_por_nome text,
  -- Last import that wrote the case: its line, the hash of that line, the version it made.
  importacao_id integer,
  importacao_linha integer,
  importacao_hash bytea,
  importacao_versao integer,
  -- Import that created the case.
  criado_por_importacao integer
);

-- Notification numbers repeat in reality; with disease and day they do not.
create unique index casos__numero_notificacao__unique
  on casos (numero_notificacao, data_notificacao, tipo_agravo) where excluido_em is null;
create index casos__recentes on casos (data_notificacao desc, id desc) where excluido_em is null;
create index casos__lugar on casos (estado_residencia, data_notificacao desc, id desc) where excluido_em is null;
-- Includes the columns that are counted: days of a municipality have no counters and are read from this index alone.
create index casos__municipio on casos (municipio_residencia, data_notificacao desc, id desc)
  include (estado_residencia, tipo_agravo, classificacao_final, hospitalizacao, evolucao) where excluido_em is null;
-- Cases of unknown places in the order of lists: the planner does not take `is null` for one value of an index.
create index casos__sem_municipio on casos (data_notificacao desc, id desc)
  where excluido_em is null and municipio_residencia is null;
create index casos__excluidos on casos (excluido_em desc, id desc) where excluido_em is not null;
create index casos__responsavel on casos (responsavel_id);
create index casos__importacao on casos (importacao_id) where importacao_id is not null;

-- One row for each change after the creation, which the case's own row records. `alteracoes` has the old and new value of
-- each open field; those of the fields in `sigilo` are encrypted.
create table casos_historico (
  caso_id integer not null
    constraint casos_historico__caso_id__exists references casos on delete cascade,
  -- The version that the change made.
  versao integer not null,
  data timestamptz not null,
  acao text not null,
  usuario_id integer,
  usuario_nome text,
  alteracoes jsonb not null default '{}',
  sigilo bytea,
  importacao_id integer,
  -- Import columns the case had before, restored when this import is undone.
  importacao_anterior jsonb,
  constraint casos_historico__pk primary key (caso_id, versao)
);
create index casos_historico__importacao on casos_historico (importacao_id) where importacao_id is not null;

-- Files of any kind, encrypted piece by piece, so that memory stays bounded.
create table arquivos (
  id uuid constraint arquivos__pk primary key,
  criado_em timestamptz not null,
  tamanho bigint not null default 0,
  -- Set in the transaction that begins to refer to it; unreferenced files are removed after a day.
  em_uso boolean not null default false
);
create index arquivos__sem_uso on arquivos (criado_em) where not em_uso;

create table arquivos_partes (
  arquivo_id uuid not null constraint arquivos_partes__arquivo_id__exists references arquivos on delete cascade,
  ordem integer not null,
  conteudo bytea not null,
  constraint arquivos_partes__pk primary key (arquivo_id, ordem)
);
-- Encrypted bytes do not compress.
alter table arquivos_partes alter column conteudo set storage external;

create table anexos (
  id integer generated always as identity constraint anexos__pk primary key,
  caso_id integer not null constraint anexos__caso_id__exists references casos on delete cascade,
  arquivo_id uuid not null constraint anexos__arquivo_id__exists references arquivos on delete cascade,
  tipo text not null constraint anexos__tipo__known check (tipo in ('exame', 'notificacao', 'outro')),
  formato text not null,
  tamanho integer not null,
  -- Encrypted: people write names into it.
  descricao bytea,
  enviado_por_id integer,
  enviado_por_nome text,
  uploaded_at timestamptz not null
);
create index anexos__caso on anexos (caso_id, id);
create index anexos__arquivo on anexos (arquivo_id);

-- Centres of the map's cells, from the few cases that have a point.
create index casos__ponto_bairro on casos (municipio_residencia, plain(bairro_residencia))
  include (latitude_aproximada, longitude_aproximada)
  where excluido_em is null and latitude_aproximada is not null;
create index casos__ponto_setor on casos (cep_setor) include (latitude_aproximada, longitude_aproximada)
  where excluido_em is null and latitude_aproximada is not null;
create index casos__ponto_cep on casos (cep_chave) include (latitude_aproximada, longitude_aproximada)
  where excluido_em is null and latitude_aproximada is not null;

-- Forms of cases that are not sent yet, for 30 days after they were last saved. The key has the account first: an id belongs to one
-- account only, and says nothing of others.
create table rascunhos (
  usuario_id integer not null constraint rascunhos__usuario_id__exists references usuarios on delete cascade,
  id uuid not null,
  -- Case that the form changes; null: a new one. As the client says, hence no reference.
  caso_id integer,
  -- The form as JSON, encrypted under DATA_KEY.
  conteudo bytea not null,
  -- Bytes before encryption.
  tamanho integer not null,
  criado_em timestamptz not null,
  atualizado_em timestamptz not null,
  constraint rascunhos__pk primary key (usuario_id, id)
);
alter table rascunhos alter column conteudo set storage external;
create index rascunhos__atualizado_em on rascunhos (atualizado_em);

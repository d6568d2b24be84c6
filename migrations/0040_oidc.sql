-- Single sign-on by OpenID Connect: attempts under way, second factors that are asked for, and linked identities.

-- An attempt is used once, by the browser that began it. Nonce and verifier are sealed.
create table oidc_tentativas (
  estado_hash bytea not null,
  provedor text not null,
  navegador_hash bytea not null,
  segredos_cifrados bytea not null,
  volta text not null,
  cookie_anterior_hash bytea,
  expira_em timestamp with time zone not null,
  constraint oidc_tentativas__pk primary key (estado_hash)
);
create index oidc_tentativas__expira_em on oidc_tentativas (expira_em);

-- A person whom the provider named, and whose code is still missing.
create table oidc_segundos_fatores (
  navegador_hash bytea not null,
  usuario_id integer not null,
  decisao_cifrada bytea not null,
  cookie_anterior_hash bytea,
  expira_em timestamp with time zone not null,
  constraint oidc_segundos_fatores__pk primary key (navegador_hash),
  constraint oidc_segundos_fatores__usuario__exists foreign key (usuario_id) references usuarios (id) on delete cascade
);
create index oidc_segundos_fatores__usuario on oidc_segundos_fatores (usuario_id);
create index oidc_segundos_fatores__expira_em on oidc_segundos_fatores (expira_em);

-- `sub_hash`: keyed, since the subject may be a CPF.
create table identidades (
  id integer generated always as identity not null,
  usuario_id integer not null,
  provedor text not null,
  sub_hash bytea not null,
  vinculada_em timestamp with time zone not null,
  ultimo_uso_em timestamp with time zone not null,
  constraint identidades__pk primary key (id),
  constraint identidades__sub__unique unique (provedor, sub_hash),
  constraint identidades__provedor__unique unique (usuario_id, provedor),
  constraint identidades__usuario__exists foreign key (usuario_id) references usuarios (id) on delete cascade
);

-- The provider asked for a second factor, and is trusted with it: the session needs no enrolment of ours.
alter table sessoes add column mfa_do_provedor boolean not null default false;
